import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { snapshotContent } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf } from '../../populate-table.ts';

const { agreed, now, stages } = stage;
const undone = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'];
const all = [...undone, 'patch claim'];
const told = [...undone, 'patch claim status', 'patch claim'];

describe('where nobody may go on with it, what was begun is removed, from the prime claim to the content', () => {
  const reasons = {
    LinkMissing: { link: undefined, wanted: undefined, grants: undefined, snapshot: undefined, content: undefined },
    NotGranted: { grants: [] },
    SnapshotMissing: { snapshot: undefined, content: undefined },
    SnapshotNotBound: { content: snapshotContent({ spec: { volumeSnapshotRef: {} } }) },
  };
  const removed = {
    held: ['patch claim'],
    contentMade: ['delete contentCopy', 'patch claim'],
    snapshotMade: ['delete snapshotCopy', 'delete contentCopy', 'patch claim'],
    snapshotReady: ['delete snapshotCopy', 'delete contentCopy', 'patch claim'],
    primeMade: all,
  };

  describe.each(Object.entries(reasons))('%s:', (reason, change) => {
    test.each(Object.entries(removed))('%s', (name, expected) => {
      const { writes, world, decision } = settle({ ...stages[name as keyof typeof removed], ...change });
      expect(writes.filter((write) => write !== 'patch claim status')).toEqual(expected);
      if (name === 'primeMade') return;
      expect(decision).toMatchObject({ reason });
      expect(world.claim?.status?.conditions).toMatchObject([{ status: 'False', reason }]);
    });

    test('it is told once, when nothing of it is left, and counted once', () => {
      expect(settle({ ...stages.primeMade, ...change }).writes).toEqual(told);
    });
  });

  test.each(['LinkMissing', 'NotGranted'] as const)('also with a volume that is not handed over yet: %s', (reason) => {
    const { writes, decision } = settle({ ...stages.primeBound, ...reasons[reason] });
    expect([writes, summaryOf(decision)]).toEqual([told, `wait ${reason}`]);
  });

  test.each(['LinkMissing', 'NotGranted', 'SnapshotMissing'] as const)(
    'but not with one that is handed over: %s',
    (reason) => {
      expect(summaryOf(decide({ ...stages.handedOver, ...reasons[reason] }, now))).toBe('wait ClaimNotBound');
    },
  );

  test('a volume that its class would retain is let go with the prime claim', () => {
    const volume = stage.volume({ persistentVolumeReclaimPolicy: 'Retain' });
    const { writes, world } = settle({ ...stages.primeBound, ...reasons.NotGranted, volume });
    expect(writes).toEqual(told.toSpliced(1, 0, 'patch volume'));
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test('and it begins anew when it is granted again', () => {
    const { world } = settle({ ...stages.primeMade, ...reasons.NotGranted });
    const again = agreed({ claim: world.claim });
    expect(settle(again).writes).toEqual(['patch claim', 'create contentCopy', 'create snapshotCopy']);
  });
});
