import type { Context } from 'aws-lambda';
import { readEvent } from '../recovery/replay/event.ts';
import type { Means } from '../recovery/replay/means.ts';
import { Run, type RunOptions } from '../recovery/replay/run.ts';
import type { Summary } from '../recovery/replay/summary.ts';
import { readConfig } from '../runtime/config.ts';
import { errorText } from '../runtime/error-text.ts';
import { invocationLog, type Log } from '../runtime/log.ts';
import { logFailures } from './log-failures.ts';

/** What is left of the time limit then must suffice for what is on its way, and for keeping how far the run has come. */
const timeToFinishMs = 15_000;

export interface Answer extends Summary {
  runId: string;
  isDryRun: boolean;
  /** Whether the run came to its end. */
  isDone: boolean;
  from: string;
  to: string;
  clusters: string[];
  /** The event that goes on with it, where it did not. */
  next?: object;
}

type Invocation = Pick<Context, 'getRemainingTimeInMillis'> & Partial<Pick<Context, 'awsRequestId'>>;

/** Puts what was sent onto its queues again, as far as there is time. */
export async function handler(event: unknown, context: Invocation): Promise<Answer> {
  const options = readEvent(event, new Date());
  const config = readConfig();
  const log = invocationLog(config, context);
  if (!config.archive) throw new Error('there is no archive to replay: the deployment has archive=off');
  const signal = AbortSignal.timeout(Math.max(1_000, context.getRemainingTimeInMillis() - timeToFinishMs));
  // The clients are loaded once the event is known to be valid.
  const { meansOf } = await import('../recovery/replay/deployed.ts');
  const { close, ...means } = meansOf(config.archive, config.queues, {
    signal,
    served: config.clusters.map(({ name }) => name),
    onUnserved: (clusters) =>
      log.error('clusters that are not served here are left out', { clusters: clusters.join(', ') }),
    onDamage: ({ segment, linesRead, reason }) => log.error('segment left out', { segment, linesRead, error: reason }),
    onTrouble: (error) => log.error('a queue accepts nothing; retrying', { error }),
  });
  return logFailures(log, () => replay(options, means, log)).finally(close);
}

async function replay(options: RunOptions, means: Means, log: Log): Promise<Answer> {
  const run = await Run.open(options, means);
  log.info('replay begins', { runId: run.runId });
  const next = nextOf(run, options);
  const isDone = await run.run().catch((error: unknown) => {
    throw failureOf(error, run, next);
  });
  log.info(isDone ? 'replay over' : 'replay cut short', { runId: run.runId, replayed: run.replayed });
  const { runId, wish, isDryRun } = run;
  const range = { from: wish.from.toISOString(), to: wish.to.toISOString(), clusters: wish.clusters };
  return { runId, isDryRun, isDone, ...range, ...run.summary, ...(isDone || !next ? {} : { next }) };
}

/** A dry run keeps nothing, so it can only be made anew with less to read. */
function nextOf({ runId }: Run, { isDryRun, ratePerSecond: rate, skipDamaged }: RunOptions): object | undefined {
  if (isDryRun) return undefined;
  return { resume: runId, ...(rate === undefined ? {} : { rate }), ...(skipDamaged ? { skipDamaged } : {}) };
}

function failureOf(error: unknown, { replayed }: Run, next: object | undefined): Error {
  const problem = errorText(error);
  const goOn = next ? `; invoke it with ${JSON.stringify(next)} to continue` : '';
  return new Error(`${problem} (${replayed} messages were put onto their queues${goOn})`, { cause: error });
}
