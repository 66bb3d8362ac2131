import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { settings } from '../../../../../support/builders.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf, testTable } from '../../populate-table.ts';

const { held, now, primeBound, stages, stray } = stage;
const mark = 'longshore.dev/taken-in-error';
const undone = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'];
const all = [...undone, 'patch claim'];
const taken = { ...stages.primeBound, volume: stray() };
const saying = held({ status: { phase: 'Pending', conditions: [stage.said('False', 'OtherVolumeMatches', 'taken')] } });

describe('a volume that lay about and was taken for the prime claim', () => {
  testTable([
    {
      situation: 'is secured, told of, and left behind with nothing of ours',
      world: taken,
      says: 'False OtherVolumeMatches',
      next: 'reject',
      saying: 'volume pvc-uid-prime of class fast was free',
      before: ['patch volume', ...undone],
      afterwards: ['patch claim'],
    },
    {
      situation: 'needs no securing that is retained anyway',
      world: { ...taken, volume: stray({ persistentVolumeReclaimPolicy: 'Retain' }) },
      says: 'False OtherVolumeMatches',
      next: 'reject',
      before: undone,
      afterwards: ['patch claim'],
    },
    {
      situation: 'is one that nobody has provisioned, though the controller has not chosen it',
      world: { ...taken, volume: stage.volume({}, { annotations: {} }) },
      says: 'False OtherVolumeMatches',
      next: 'reject',
      before: ['patch volume', ...undone],
      afterwards: ['patch claim'],
    },
    {
      situation: 'is one that was provisioned for somebody else',
      world: { ...taken, volume: stray({}, { 'pv.kubernetes.io/provisioned-by': 'disk.example.com' }) },
      says: 'False OtherVolumeMatches',
      next: 'reject',
      before: ['patch volume', ...undone],
      afterwards: ['patch claim'],
    },
    {
      situation: 'is made safe with its policy kept, before the prime claim goes',
      world: { ...taken, claim: saying },
      write: 'patch volume',
      exactly: {
        metadata: { annotations: { [mark]: 'populate-uid-claim/Delete' } },
        spec: { persistentVolumeReclaimPolicy: 'Retain' },
      },
      event: 'Warning TakenInError',
      next: 'delete prime',
    },
  ]);

  test('is told of before it is bound in every field', () => {
    const world = { ...taken, prime: { ...primeBound(), status: { phase: 'Pending' as const } } };
    expect(settle(world).writes).toContain('patch volume');
  });

  test('is secured when the claim is deleted', () => {
    const claim = held({ metadata: stage.deleting });
    expect(settle({ ...taken, claim }).writes).toEqual(['patch volume', ...all]);
  });

  test('is secured when consent is taken back', () => {
    expect(settle({ ...taken, grants: [] }).writes).toEqual([
      'patch volume',
      ...undone,
      'patch claim status',
      'patch claim',
    ]);
  });

  test('is never handed over', () => {
    for (const claim of [held(), saying]) {
      const { world } = settle({ ...taken, claim });
      expect(world.volume?.spec.claimRef?.uid).toBe('uid-prime');
    }
  });
});

describe('the attempt is not repeated', () => {
  const after = settle(taken).world;
  const rest = (world: object) => settle({ ...stages.asked, claim: after.claim, ...world });

  test('by itself', () => {
    expect(rest({}).writes).toEqual([]);
    expect(summaryOf(rest({}).decision)).toBe('reject OtherVolumeMatches');
  });

  test('when a grant or a link comes and goes', () => {
    expect(rest({ grants: [] }).writes).toEqual([]);
    expect(rest({ link: undefined, wanted: undefined }).writes).toEqual([]);
  });

  test('when snapshots were off for a while', () => {
    const off = rest({ settings: settings('snapshots') });
    const { writes } = settle({ ...stages.asked, claim: off.world.claim });
    expect(writes.filter((write) => write.startsWith('create'))).toEqual([]);
  });

  test('when the server has refused a write meanwhile', () => {
    const refused = settle({ ...taken, claim: saying, refused: { slot: 'volume', message: 'no' } });
    expect(conditionOf(refused.world.claim)?.reason).toBe('OtherVolumeMatches');
  });

  test('after a crash between any two writes', () => {
    const { writes } = settle(taken);
    for (let count = 1; count < writes.length; count += 1) {
      const { world } = settleSome(count);
      expect([...writes.slice(0, count), ...settle(world).writes]).toEqual(writes);
    }
  });
});

function settleSome(count: number) {
  let left = count;
  const limited = (world: Parameters<typeof decide>[0], at: Date) => {
    left -= 1;
    return left < 0 ? ({ do: 'done', reason: 'Crashed' } as const) : decide(world, at);
  };
  return settle(taken, limited, now);
}
