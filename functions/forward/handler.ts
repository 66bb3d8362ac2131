import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { Clusters } from '../../lib/cluster/clusters.ts';
import { readConfig } from '../../lib/config.ts';
import { Forwarder } from '../../lib/forwarder/forwarder.ts';
import { consoleLog } from '../../lib/log.ts';
import { Outbox } from '../../lib/queue/outbox.ts';
import { sendTo } from '../../lib/queue/send.ts';

/** What is left of the time limit then must suffice for sending what has been found. */
const timeToFinishMs = 5_000;

/** Forwards the changes of every configured cluster until its time is nearly up; the schedule starts the next one. */
export async function handler(_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> {
  const config = readConfig();
  const log = consoleLog({ function: config.function });
  const clusters = new Clusters(config.clusters);
  const signal = AbortSignal.timeout(Math.max(1_000, context.getRemainingTimeInMillis() - timeToFinishMs));
  const send = sendTo(config.queues);
  const runs = config.clusters.map(async ({ name }) => {
    const { connection } = await clusters.get(name);
    const onFailure = (error: unknown) => log.error('queue refused messages', { cluster: name, error: String(error) });
    const outbox = new Outbox({ send, pause: (milliseconds) => pause(milliseconds), onFailure });
    const now = () => new Date();
    const waitFor = (milliseconds: number) => pause(milliseconds);
    try {
      await new Forwarder({ cluster: name, connection, outbox, log, now, pause: waitFor }).run(signal);
    } finally {
      connection.close();
    }
  });
  await failTogether(await Promise.allSettled(runs));
}

/** A cluster that cannot be reached must not stop the others, but the invocation must not look well either. */
function failTogether(results: PromiseSettledResult<void>[]): void {
  const errors = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
}
