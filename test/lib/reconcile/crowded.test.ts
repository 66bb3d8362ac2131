import { describe, expect, test } from '@jest/globals';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import type { Condition } from '../../../lib/kubernetes/objects.ts';
import { crowdedWrite } from '../../../lib/reconcile/crowded.ts';
import { reconcile } from '../../../lib/reconcile/reconcile.ts';
import type { Outcome, Subject, World } from '../../../lib/reconcile/step.ts';
import { claim } from '../../support/builders.ts';
import { type CountWorld, countTo, FakeCluster, key, now } from './fake-step.ts';

const others: Condition[] = [
  {
    type: 'Transferred',
    status: 'False',
    reason: 'Why',
    message: 'because',
    lastTransitionTime: '2026-03-01T11:00:00Z',
  },
];
const crowded: Condition = {
  type: 'Crowded',
  status: 'True',
  reason: 'TooManyWait',
  message: expect.stringContaining('let fewer objects of its namespace wait') as unknown as string,
  lastTransitionTime: '2026-03-01T12:00:00Z',
};

interface OneWorld extends World {
  readonly object?: Subject | undefined;
}

const told = (object: Subject | undefined, isCrowded: boolean) => {
  const world: OneWorld = { object };
  const step = { resource: countTo(0).resource, subjects: () => [undefined, world.object] };
  return crowdedWrite({ step, key }, world, isCrowded, now());
};
const withConditions = (conditions: Condition[]) => claim({ status: { phase: 'Pending', conditions } });

describe('an object that too many wait beside', () => {
  test('says so beside all that it says otherwise, and in an Event', () => {
    const write = told(withConditions(others), true);
    expect(write).toMatchObject({ verb: 'patch', subresource: 'status', preconditions: { uid: 'uid-source' } });
    expect(write?.verb === 'patch' && write.body).toEqual({ status: { conditions: [...others, crowded] } });
    expect(write?.announce).toMatchObject([{ type: 'Warning', reason: 'TooManyWait' }]);
  });

  test('says so once', () => {
    expect(told(withConditions([...others, { ...crowded, message: 'said before' }]), true)).toBeUndefined();
  });

  test('says it no longer when it is over, and nothing else changes', () => {
    const write = told(withConditions([{ ...crowded, message: 'said before' }, ...others]), false);
    expect(write?.verb === 'patch' && write.body).toEqual({ status: { conditions: others } });
    expect(write?.announce).toEqual([]);
    expect(told(withConditions(others), false)).toBeUndefined();
  });

  test.each([
    ['is not there', undefined],
    ['has no status yet', { ...claim(), status: undefined } as unknown as Subject],
    ['is another one than the key names', claim({ metadata: { name: 'other' } })],
    ['is of another namespace', claim({ metadata: { namespace: 'other' } })],
  ])('is told nothing when it %s', (_, object) => {
    expect(told(object, true)).toBeUndefined();
  });
});

describe('a run for a message that says so', () => {
  const wait: Outcome = { do: 'wait', reason: 'Why', message: 'because' };
  const subjects = ({ claim: found }: CountWorld) => [found];

  test.each([
    [wait, ['patch']],
    [{ ...wait, do: 'reject' } as Outcome, ['patch']],
    [{ do: 'done', reason: 'Counted' } as Outcome, []],
  ])('tells it when the answer is %j', async (answer, calls) => {
    const cluster = new FakeCluster();
    cluster.patch = async () => {
      cluster.calls.push('patch');
      return cluster.claim as never;
    };
    const outcome = await reconcile(countTo(0, { decide: () => answer, subjects }), cluster, key, {
      now,
      isCrowded: true,
    });
    expect([outcome, cluster.calls.filter((call) => call !== 'create')]).toEqual([answer, calls]);
  });

  test.each(['conflict', 'rejected'] as const)('goes on when the server answers %s', async (answer) => {
    const cluster = new FakeCluster(new ClusterError(answer, 'changed'));
    const outcome = await reconcile(countTo(0, { decide: () => wait, subjects }), cluster, key, {
      now,
      isCrowded: true,
    });
    expect([outcome, cluster.calls]).toEqual([wait, ['patch']]);
  });

  test('is needed: without it nothing is said and nothing taken back', async () => {
    const cluster = new FakeCluster();
    cluster.claim = withConditions([crowded]);
    await reconcile(countTo(0, { decide: () => wait, subjects }), cluster, key, { now });
    expect(cluster.calls).toEqual([]);
  });
});
