import { describe, expect, test } from '@jest/globals';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { reconcile, reconcileFailed, type Trace } from '../../../lib/reconcile/reconcile.ts';
import type { Decision } from '../../../lib/reconcile/step.ts';
import {
  type CountWorld,
  conflict,
  countOf,
  countTo,
  FakeCluster,
  key,
  now,
  object,
  patchTo,
  rejected,
} from './fake-step.ts';

const run = (step: ReturnType<typeof countTo>, cluster: FakeCluster) => reconcile(step, cluster, key, { now });

test('each answer of the server is folded into the world, without another read', async () => {
  const seen: (string | undefined)[] = [];
  const step = countTo(3);
  const decide = (world: CountWorld, at: Date): Decision<CountWorld> => {
    seen.push(`${world.reads}:${world.claim?.metadata.resourceVersion}`);
    return step.decide(world, at);
  };
  expect(await run({ ...step, decide }, new FakeCluster())).toEqual({ do: 'done', reason: 'Counted' });
  expect(seen).toEqual(['1:1', '1:2', '1:3', '1:4']);
});

test('what waits or is rejected is the outcome, and nothing is written', async () => {
  for (const answer of ['wait', 'reject'] as const) {
    const cluster = new FakeCluster();
    const outcome = await run(
      countTo(1, { decide: () => ({ do: answer, reason: 'Why', message: 'because' }) }),
      cluster,
    );
    expect([outcome.do, cluster.calls]).toEqual([answer, []]);
  }
});

describe('what is too old is read again', () => {
  test.each(['conflict', 'gone', 'exists'] as const)('after the answer %s', async (errorClass) => {
    const cluster = new FakeCluster(new ClusterError(errorClass, 'changed'));
    const reads: number[] = [];
    const step = countTo(1);
    const decide = (world: CountWorld, at: Date) => {
      reads.push(world.reads);
      return step.decide(world, at);
    };
    expect(await run({ ...step, decide }, cluster)).toMatchObject({ do: 'done' });
    expect(reads).toEqual([1, 2, 2]);
  });

  test('when the step asks for it', async () => {
    const decide = (world: CountWorld): Decision<CountWorld> =>
      world.reads === 1 ? { do: 'reread', reason: 'TooOld' } : { do: 'done', reason: 'Fresh' };
    expect(await run(countTo(0, { decide }), new FakeCluster())).toEqual({ do: 'done', reason: 'Fresh' });
  });

  test('and the step knows whose part somebody else has changed', async () => {
    const seen: unknown[] = [];
    const step = countTo(1);
    const decide = (world: CountWorld, at: Date) => {
      seen.push(world.contended);
      return step.decide(world, at);
    };
    await run({ ...step, decide }, new FakeCluster(conflict(), conflict()));
    expect(seen).toEqual([undefined, ['claim'], ['claim', 'claim'], ['claim', 'claim']]);
  });

  test('but not for ever', async () => {
    const cluster = new FakeCluster(...Array.from({ length: 20 }, conflict));
    await expect(run(countTo(1), cluster)).rejects.toMatchObject({
      class: 'conflict',
      message: 'count of prod/data had 5 conflicts in a row',
    });
    expect(cluster.calls).toHaveLength(5);
  });
});

describe('what the server refuses', () => {
  const tellOrCount = (world: CountWorld): Decision<CountWorld> =>
    world.refused
      ? { do: 'reject', reason: 'Refused', message: `${world.refused.slot}: ${world.refused.message}` }
      : patchTo(1, world);

  test('is decided upon like everything else', async () => {
    const outcome = await run(countTo(1, { decide: tellOrCount }), new FakeCluster(rejected()));
    expect(outcome).toEqual({ do: 'reject', reason: 'Refused', message: 'claim: exceeded quota' });
  });

  test('fails the run when the step tries it again', async () => {
    const cluster = new FakeCluster(rejected(), rejected(), rejected());
    await expect(run(countTo(1), cluster)).rejects.toMatchObject({ class: 'rejected' });
    expect(cluster.calls).toHaveLength(2);
  });
});

test.each(['denied', 'expired', 'unauthorized', 'throttled', 'unreachable'] as const)(
  'the answer %s fails the run',
  async (errorClass) => {
    const cluster = new FakeCluster(new ClusterError(errorClass, 'no'));
    await expect(run(countTo(1), cluster)).rejects.toMatchObject({ class: errorClass });
    expect(cluster.calls).toEqual(['patch']);
  },
);

test('an error that is none of the cluster is not taken for one', async () => {
  await expect(run(countTo(1), new FakeCluster(new TypeError('a bug')))).rejects.toThrow(TypeError);
});

test('a step that goes round in circles is stopped', async () => {
  const cluster = new FakeCluster();
  await expect(run(countTo(Number.POSITIVE_INFINITY), cluster)).rejects.toThrow(
    'count of prod/data did not finish in 40 turns',
  );
  expect(cluster.calls).toHaveLength(40);
});

describe('an announcement', () => {
  const announcing = (world: CountWorld): Decision<CountWorld> => {
    const decision = patchTo(1, world);
    if (countOf(world) === 1 || decision.do !== 'write' || !world.claim) return { do: 'done', reason: 'Counted' };
    const announce = [{ regarding: world.claim, type: 'Normal' as const, reason: 'Counted', message: 'one more' }];
    return { ...decision, write: { ...decision.write, announce } };
  };

  test('is made when its write has succeeded', async () => {
    const cluster = new FakeCluster();
    await run(countTo(1, { decide: announcing }), cluster);
    expect(cluster.calls).toEqual(['patch', 'create']);
  });

  test('is not made when its write has failed', async () => {
    const cluster = new FakeCluster(new ClusterError('denied', 'no'));
    await expect(run(countTo(1, { decide: announcing }), cluster)).rejects.toThrow('no');
    expect(cluster.calls).toEqual(['patch']);
  });

  test.each([new ClusterError('denied', 'no events'), new TypeError('a bug')])(
    'that cannot be made does not fail the step: %s',
    async (failure) => {
      const cluster = new FakeCluster(undefined, failure);
      expect(await run(countTo(1, { decide: announcing }), cluster)).toMatchObject({ do: 'done' });
    },
  );
});

test('each write is traced with its result, and without what it contains', async () => {
  const lines: Parameters<Trace>[0][] = [];
  const trace: Trace = (line) => lines.push(line);
  await reconcile(countTo(1), new FakeCluster(conflict()), key, { now, trace });
  const line = { write: 'patch', object: 'PersistentVolumeClaim prod/data', milliseconds: 0 };
  expect(lines).toEqual([
    { ...line, result: 'conflict' },
    { ...line, result: 'ok' },
  ]);
});

test('giving up is decided by the step as well', async () => {
  const cluster = new FakeCluster();
  const outcome = await reconcileFailed(countTo(1), cluster, key, 'why', { now });
  expect(outcome).toEqual({ do: 'reject', reason: 'Failed', message: 'why' });
  expect(cluster.claim.metadata.annotations).toEqual({ count: '-1' });
});

test('a deletion and a creation are sent as such', async () => {
  const cluster = new FakeCluster();
  const writes: Decision<CountWorld>[] = [
    {
      do: 'write',
      write: { verb: 'delete', slot: 'claim', object, preconditions: { uid: 'u', resourceVersion: '1' } },
    },
    { do: 'write', write: { verb: 'create', slot: 'claim', object, body: cluster.claim } },
    { do: 'done', reason: 'Replaced' },
  ];
  const decide = () => writes.shift() ?? { do: 'done' as const, reason: 'Again' };
  expect(await run(countTo(0, { decide }), cluster)).toEqual({ do: 'done', reason: 'Replaced' });
  expect(cluster.calls).toEqual(['delete', 'create']);
});
