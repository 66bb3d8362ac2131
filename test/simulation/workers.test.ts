import { expect, test } from '@jest/globals';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';
import { FakeCluster } from './fake-cluster.ts';
import { FakeQueue } from './fake-queue.ts';
import type { Gate } from './gate.ts';
import { everything } from './plan.ts';
import { Random } from './random.ts';
import { transfers } from './transfers/capability.ts';
import { timeLimitMs, Workers } from './workers.ts';

const key = { namespace: 'shop', name: 'data' };

interface StoreWorld extends World {
  readonly made?: { result: string };
}

/** Looks at the cluster, makes one call to a store, and is done. */
function stepBehind(gate: Gate): Step<StoreWorld> {
  const call = { slot: 'made', operation: 'make', about: 'data', request: {} } as const;
  return {
    name: 'make',
    resource: resources.bucket,
    read: async (cluster) => {
      await cluster.list(resources.bucket, undefined);
      return {};
    },
    decide: ({ made }) => (made ? { do: 'done', reason: 'Made' } : { do: 'call', call }),
    perform: () => gate('make data', true, async () => ({ result: 'made' })),
    decideFailed: () => ({ do: 'done', reason: 'Failed' }),
  };
}

/** One message, and a worker that has taken it. */
async function atWork() {
  let now = 0;
  const cluster = new FakeCluster(() => new Date(now));
  const queue = new FakeQueue(8);
  const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
  const about = { cluster: cluster.name, function: 'make', resource: resources.bucket, key };
  queue.send(buildMessage({ ...about, cause, time: cluster.now() }));
  const trace: string[] = [];
  const plan = { seed: 1, ...everything(transfers) };
  const ignore = () => {};
  const rest = { stepsFor: (gate: Gate) => [stepBehind(gate)], beforeWrite: ignore, afterWrite: ignore };
  const workers = new Workers({ plan, random: new Random(1), cluster, queue, maxReceives: 8, trace, ...rest });
  const flush = () => new Promise(setImmediate);
  const pass = (milliseconds: number) => {
    now += milliseconds;
    workers.endOverdue();
  };
  workers.deliver(false);
  await flush();
  return { workers, queue, trace, pass, flush, nextDelivery: () => queue.take(now, new Random(1))?.receives };
}

test('the calls of a step wait wherever they go to, and end in a message that is done', async () => {
  const { workers, queue, trace, flush } = await atWork();
  for (const _ of ['list', 'call']) {
    await workers.answer(() => 'ok');
    await flush();
  }
  expect(trace.slice(1).map((line) => line.slice(10))).toEqual([
    'worker 1: list Bucket /: ok',
    'worker 1: call make data: ok',
  ]);
  expect([workers.isIdle, queue.size]).toEqual([true, 0]);
});

test('a worker that reaches its time limit dies, and its message comes again', async () => {
  const { workers, trace, pass, nextDelivery } = await atWork();
  pass(timeLimitMs);
  expect(workers.pending).toHaveLength(1);
  pass(1);
  expect(workers.pending).toHaveLength(0);
  expect(workers.isIdle).toBe(true);
  expect(trace.at(-1)).toBe('worker 1: out of time');
  expect(nextDelivery()).toBeUndefined();
  pass(500);
  expect(nextDelivery()).toBe(2);
});
