import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { protection } from '../../../../../support/builders.ts';
import { snapshotContent, snapshotLink, volumeSnapshot } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf, writeOf } from '../../populate-table.ts';

const { agreed, contentCopy, now, prime, snapshotCopy, stages } = stage;

describe('another snapshot than the one that was begun with', () => {
  const elsewhere = volumeSnapshot({ metadata: { uid: 'uid-of-another' } });
  const redirected = {
    link: snapshotLink({ spec: { source: { namespace: 'prod', name: 'other' } } }),
    wanted: { namespace: 'prod', name: 'other' },
    grants: [
      {
        ...agreed().grants?.[0],
        spec: { ...agreed().grants?.[0]?.spec, to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot' }] },
      } as never,
    ],
    snapshot: volumeSnapshot({ metadata: { name: 'other', uid: 'uid-other' } }),
    content: snapshotContent({
      spec: { volumeSnapshotRef: { namespace: 'prod', name: 'other', uid: 'uid-other' } },
      status: { snapshotHandle: 'handle-2' },
    }),
  };
  const renewed = {
    snapshot: elsewhere,
    content: snapshotContent({
      spec: { volumeSnapshotRef: { namespace: 'prod', name: 'backup', uid: 'uid-of-another' } },
      status: { snapshotHandle: 'handle-2' },
    }),
  };
  const taken = {
    contentMade: ['delete contentCopy'],
    snapshotReady: ['delete snapshotCopy', 'delete contentCopy'],
    primeMade: ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
    primeBound: ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
  };

  describe.each([
    ['a link that was made anew', redirected],
    ['a snapshot that has the same name', renewed],
  ])('%s', (_, change) => {
    test.each(Object.entries(taken))('begins anew: %s', (name, expected) => {
      const start = { ...stages[name as keyof typeof taken], ...change };
      const { writes, decision, world } = settle(start);
      expect(writes.slice(0, expected.length)).toEqual(expected);
      expect(writeOf(decide(start, now)).announce).toMatchObject([{ type: 'Normal', reason: 'StartingOver' }]);
      expect(decision.do).toBe('wait');
      const isHeldUp = expected.includes('delete prime');
      const rest = isHeldUp ? ['patch claim status', 'patch claim'] : ['create contentCopy', 'create snapshotCopy'];
      expect(writes.slice(expected.length)).toEqual(rest);
      const said = world.claim?.status?.conditions?.map(({ reason }) => reason);
      expect(said).toEqual(isHeldUp ? ['StartingOver'] : undefined);
    });

    test('is told in one sentence, however much there is to be taken away', () => {
      const { writes } = settle({ ...stages.primeBound, ...change });
      expect(writes.filter((write) => write === 'patch claim status')).toHaveLength(1);
    });

    test('is of no matter once the volume is handed over', () => {
      expect(summaryOf(decide({ ...stages.handedOver, ...change }, now))).toBe('wait ClaimNotBound');
    });
  });

  test('of which the data was made is handed over though the snapshot is gone', () => {
    const world = { ...stages.primeBound, snapshot: undefined, content: undefined };
    expect(summaryOf(decide(world, now))).toBe('patch volume');
  });

  test('the copy of another snapshot in the store is not used', () => {
    const content = snapshotContent({ status: { snapshotHandle: 'handle-2' } });
    expect(settle({ ...stages.contentMade, content }).writes).toContain('delete contentCopy');
  });
});

test('what is being deleted is waited for before anything of the same name is made', () => {
  for (const going of [
    { contentCopy: contentCopy({ ...stage.deleting, finalizers: ['snapshot.storage.kubernetes.io/x'] }) },
    { snapshotCopy: snapshotCopy({}, { ...stage.deleting, finalizers: ['snapshot.storage.kubernetes.io/x'] }) },
    { prime: prime({ ...stage.deleting, finalizers: [protection] }) },
  ]) {
    const { writes, decision } = settle({ ...stages.held, ...going });
    expect(writes.filter((write) => write.startsWith('create'))).toEqual([]);
    expect(summaryOf(decision)).toBe('wait StartingOver');
  }
});
