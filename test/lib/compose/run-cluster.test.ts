import { expect, test } from '@jest/globals';
import { memoryFor } from '../../../lib/compose/run.ts';
import { RunCluster } from '../../../lib/compose/run-cluster.ts';
import { messagesAtATime } from '../../../lib/compose/run-limits.ts';
import { stepsOf } from '../../../lib/compose/steps.ts';
import type { Clusters } from '../../../lib/kubernetes/clusters.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../lib/queue/message.ts';
import type { Step, World } from '../../../lib/reconcile/step.ts';
import type { Log } from '../../../lib/runtime/log.ts';
import { MeasuredTotals } from '../../../lib/runtime/measured-totals.ts';

const settings = { drivers: [], identity: 'test', permissionsBoundary: undefined };

/** The steps of a capability, each of which reads in this way. */
function stepsReading(read: (cluster: string) => Promise<never>): Step<World>[] {
  return stepsOf(['transfers'], settings).map((step) => ({ ...step, read: ({ name }) => read(name) }));
}

function stage(steps: readonly Step<World>[], maxReceives = 8) {
  const lines: string[] = [];
  const totals = new MeasuredTotals();
  const write = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { info: write, error: write, measure: (...all) => totals.add(...all) };
  const clusters = {
    get: async (name: string) => ({ cluster: { name, within: () => ({ name }) } }),
    forget: () => {},
  } as unknown as Clusters;
  const shared = {
    release: '0.0.0',
    capabilities: [],
    clusters,
    steps,
    identity: 'test',
    maxReceives,
    maxFanOut: 100,
    log,
  };
  const [one, other] = ['one', 'other'].map((cluster) => {
    const memory = memoryFor(512, { clusters: 2, steps: steps.length });
    return new RunCluster({ ...shared, cluster, memory });
  });
  if (!one || !other) throw new Error('there are two clusters');
  return { one, other, lines, totals };
}

function messageOf(cluster: string, name: string) {
  const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
  const key = { namespace: 'team', name };
  const resource = resources.transferRequest;
  return buildMessage({ cluster, function: 'match-transfer', resource, key, cause, time: new Date() });
}

test('a cluster that answers nothing keeps neither time nor memory from another one', async () => {
  const seen: string[] = [];
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const { promise: stalled, reject: end } = Promise.withResolvers<never>();
  const { one, other } = stage(
    stepsReading((cluster) => {
      seen.push(cluster);
      if (cluster === 'other') resolve();
      return stalled;
    }),
  );
  const stuck = Array.from({ length: 3 * messagesAtATime }, (_, index) => messageOf('one', `stuck-${index}`));
  await one.queues.send('match-transfer', stuck);
  await other.queues.send('match-transfer', [messageOf('other', 'free')]);
  await read;
  expect(seen.filter((cluster) => cluster === 'one')).toHaveLength(messagesAtATime);
  const stopped = [one.stop(), other.stop()];
  end(new Error('the test is over'));
  await Promise.all(stopped);
});

test('a message that is given up is logged, and counted once', async () => {
  const steps = stepsReading(() => Promise.reject(new Error('no')));
  const { one, lines, totals } = stage(steps, 1);
  await one.queues.send('match-transfer', [messageOf('one', 'wrong')]);
  await one.stop();
  expect(lines.at(-1)).toMatch(
    /^message given up .*"function":"match-transfer","group":"one\/team\/wrong","deliveries":1/,
  );
  expect(totals.all.find(({ name }) => name === 'MessagesGivenUp')).toMatchObject({
    dimensions: { Cluster: 'one', Function: 'match-transfer' },
    sum: 1,
  });
});
