import { describe, expect, test } from '@jest/globals';
import { reconcile, reconcileFailed } from '../../../lib/reconcile/reconcile.ts';
import type { Decision } from '../../../lib/reconcile/step.ts';
import type { Measurement } from '../../../lib/runtime/metrics.ts';
import { type CountWorld, conflict, countOf, countTo, FakeCluster, key, now, patchTo, rejected } from './fake-step.ts';

const measurement: Measurement = { name: 'TransfersStarted', unit: 'Count', value: 1, dimensions: {} };

/** Counts to two, and tells and measures each patch. */
function telling(world: CountWorld): Decision<CountWorld> {
  if (world.refused) return { do: 'reject', reason: 'Refused', message: world.refused.message };
  const decision = countOf(world) < 2 ? patchTo(countOf(world) + 1, world) : undefined;
  if (decision?.do !== 'write' || !world.claim) return { do: 'done', reason: 'Counted' };
  const announce = [
    { regarding: world.claim, type: 'Normal' as const, reason: 'Counted', message: `${countOf(world)}` },
  ];
  return { do: 'write', write: { ...decision.write, announce, measure: [measurement] } };
}

/** A cluster in which Events are recorded only when the test lets them. */
class SlowEvents extends FakeCluster {
  readonly waiting: (() => void)[] = [];

  override create = async (): Promise<never> => {
    this.calls.push('create');
    await new Promise<void>((resolve) => void this.waiting.push(resolve));
    this.calls.push('created');
    return undefined as never;
  };

  letGo(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

describe('an Event', () => {
  test('is recorded while the next write goes on, and the run ends when it has been', async () => {
    const cluster = new SlowEvents();
    let outcome: unknown;
    const running = reconcile(countTo(0, { decide: telling }), cluster, key, { now }).then((end) => {
      outcome = end;
    });
    await turns();
    expect(cluster.calls).toEqual(['patch', 'create', 'patch', 'create']);
    expect(outcome).toBeUndefined();
    cluster.letGo();
    await running;
    expect(cluster.calls.slice(-2)).toEqual(['created', 'created']);
    expect(outcome).toMatchObject({ reason: 'Counted' });
  });

  test('is waited for when the run fails as well, and the failure is what comes out', async () => {
    const cluster = new SlowEvents(undefined, new TypeError('a bug'));
    const running = reconcile(countTo(0, { decide: telling }), cluster, key, { now });
    const failure = expect(running).rejects.toThrow('a bug');
    await turns();
    expect(cluster.calls).toEqual(['patch', 'create', 'patch']);
    cluster.letGo();
    await failure;
    expect(cluster.calls.at(-1)).toBe('created');
  });
});

describe('a measurement', () => {
  const measuredBy = async (cluster: FakeCluster) => {
    const measured: Measurement[] = [];
    const measure = (each: Measurement) => void measured.push(each);
    await reconcile(countTo(0, { decide: telling }), cluster, key, { now, measure }).catch(() => undefined);
    return measured.length;
  };

  test('is taken with each write that succeeds', async () => {
    expect(await measuredBy(new FakeCluster())).toBe(2);
  });

  test.each([
    ['a lost race, which is won in the end', conflict(), 2],
    ['a refusal', rejected(), 0],
    ['a failure', new TypeError('a bug'), 0],
  ])('is not taken with one that does not: %s', async (_, failure, count) => {
    expect(await measuredBy(new FakeCluster(failure))).toBe(count);
  });

  test('is needed by nobody', async () => {
    const outcome = await reconcile(countTo(0, { decide: telling }), new FakeCluster(), key, { now });
    expect(outcome).toMatchObject({ do: 'done' });
  });

  test('is taken of giving up as well', async () => {
    const measured: Measurement[] = [];
    const step = countTo(0, { decideFailed: (world) => telling(world) });
    await reconcileFailed(step, new FakeCluster(), key, 'why', { now, measure: (each) => void measured.push(each) });
    expect(measured).toHaveLength(2);
  });
});
