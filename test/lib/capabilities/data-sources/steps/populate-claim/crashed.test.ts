import { describe, expect, test } from '@jest/globals';
import type { VolumeSnapshot } from '../../../../../../lib/capabilities/data-sources/objects.ts';
import type { Claim, Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { storageClass } from '../../../../../support/builders-of-snapshots.ts';
import { claimKey, everything, Play } from '../../populate-play.ts';
import { copyName, hold } from '../../populate-stages.ts';
import { conditionOf } from '../../populate-table.ts';

const inOrder = [
  'patch claim',
  'create contentCopy',
  'create snapshotCopy',
  'create prime',
  'patch volume',
  'patch claim status',
  'delete prime',
  'patch prime',
  'delete snapshotCopy',
  'delete contentCopy',
  'patch claim',
];
const leftovers = { namespace: 'longshore-system', name: copyName };
const retaining = () => [...everything().slice(0, -1), storageClass({ reclaimPolicy: 'Retain' })];
const claimOf = (play: Play) => play.find<Claim>('PersistentVolumeClaim', 'copy');
const volumesOf = (play: Play) => play.objects.filter(({ kind }) => kind === 'PersistentVolume') as Volume[];
const sourceOf = (play: Play) =>
  [
    'VolumeSnapshot backup',
    'VolumeSnapshotContent content-1',
    'VolumeSnapshotLink yesterday',
    'ReferenceGrant grant',
  ].map((name) => play.find(...(name.split(' ') as [string, string])));

/** A claim that has been on its way for so many writes. */
async function onTheWay(count: number, objects = everything()): Promise<Play> {
  const play = new Play(objects);
  while (play.writes.length < count) {
    await play.run(1);
    if (play.writes.length < count) play.othersWork();
  }
  return play;
}

async function populated(play: Play): Promise<void> {
  expect(await play.settle()).toBe('done Populated');
  expect(play.copies).toEqual([]);
  expect(claimOf(play)?.metadata.finalizers).not.toContain(hold);
  expect(claimOf(play)?.status?.phase).toBe('Bound');
  expect(conditionOf(claimOf(play))).toMatchObject({ status: 'True', reason: 'Populated' });
  expect(volumesOf(play)).toHaveLength(1);
}

test('the way is eleven writes long', async () => {
  const play = new Play();
  const source = sourceOf(play);
  await populated(play);
  expect(play.writes).toEqual(inOrder);
  expect(sourceOf(play)).toEqual(source);
});

test('nothing is written when it is gone once more', async () => {
  const play = new Play();
  await play.settle();
  const { length } = play.writes;
  expect([await play.run(), await play.run(undefined, leftovers)]).toEqual(['done Populated', 'done Cleared']);
  expect(play.writes).toHaveLength(length);
});

test('no write is made twice when each run ends after one', async () => {
  const play = new Play();
  expect(await play.settle(1)).toBe('done Populated');
  expect(play.writes).toEqual(inOrder);
});

test('the other key has no hand in it, whenever a message for it comes', async () => {
  const play = new Play();
  expect(await play.settle(1, [leftovers, claimKey])).toBe('done Cleared, done Populated');
  expect(play.writes).toEqual(inOrder);
});

describe('a run that breaks off', () => {
  test.each(inOrder.map((write, index) => [index + 1, write] as const))(
    'after write %d, %s, is gone on with',
    async (count) => {
      const play = await onTheWay(count);
      await populated(play);
      expect(play.writes).toEqual(inOrder);
    },
  );
});

describe('when the claim is deleted', () => {
  const counts = inOrder.map((write, index) => [index + 1, write] as const).slice(0, -1);

  describe.each([
    ['Delete', everything],
    ['Retain', retaining],
  ] as const)('with a class that says %s', (policy, objects) => {
    test.each(counts)('after write %d, %s, nothing is left of the work', async (count) => {
      const play = await onTheWay(count, objects());
      const source = sourceOf(play);
      const isHandedOver = volumesOf(play).some(({ spec }) => spec.claimRef?.uid === 'uid-claim');
      play.remove('PersistentVolumeClaim', 'copy');
      await play.settle(Number.POSITIVE_INFINITY, [claimKey, leftovers]);
      expect([claimOf(play), play.copies]).toEqual([undefined, []]);
      // What has been the claim's own is kept if its class says so.
      expect(volumesOf(play)).toHaveLength(isHandedOver && policy === 'Retain' ? 1 : 0);
      expect(sourceOf(play)).toEqual(source);
    });
  });

  test.each(counts)('and breaks off again after each write, %d and %s', async (count) => {
    const play = await onTheWay(count);
    play.remove('PersistentVolumeClaim', 'copy');
    await play.settle(1, [claimKey]);
    expect([claimOf(play), play.copies, volumesOf(play)]).toEqual([undefined, [], []]);
  });

  test.each(counts)('by force, all is cleared by the name of the copies: %d, %s', async (count) => {
    const play = await onTheWay(count, retaining());
    play.objects = play.objects.filter((object) => object !== claimOf(play));
    const isHandedOver = volumesOf(play).some(({ spec }) => spec.claimRef?.uid === 'uid-claim');
    await play.settle(1, [leftovers]);
    expect(play.copies).toEqual([]);
    expect(volumesOf(play)).toHaveLength(isHandedOver ? 1 : 0);
  });
});

describe('when consent is taken back', () => {
  const begun = inOrder.slice(0, 3).map((write, index) => [index + 1, write] as const);

  describe.each([
    ['the grant goes', 'ReferenceGrant', 'grant', 'NotGranted'],
    ['the link goes', 'VolumeSnapshotLink', 'yesterday', 'LinkMissing'],
    ['the snapshot goes', 'VolumeSnapshot', 'backup', 'SnapshotMissing'],
  ])('%s', (_, kind, name, reason) => {
    test.each(begun)('after write %d, %s, nothing is left; and all begins anew when it is back', async (count) => {
      const play = await onTheWay(count);
      const removed = play.find(kind, name);
      play.objects = play.objects.filter((object) => object !== removed);
      expect(await play.settle(1)).toBe(`wait ${reason}`);
      expect([play.copies, volumesOf(play)]).toEqual([[], []]);
      expect(conditionOf(claimOf(play))).toMatchObject({ status: 'False', reason });
      expect(claimOf(play)?.metadata.finalizers).not.toContain(hold);
      play.objects.push(...(removed ? [removed] : []));
      await populated(play);
    });

    test.each([5, 6, 7, 8, 9, 10, 11])('after write %d is of no matter', async (count) => {
      const play = await onTheWay(count);
      play.objects = play.objects.filter((object) => object !== play.find(kind, name));
      await populated(play);
      expect(play.writes).toEqual(inOrder);
    });
  });

  test('the data is handed over that was made before the snapshot went', async () => {
    const play = await onTheWay(4);
    play.othersWork();
    play.objects = play.objects.filter((object) => object !== play.find('VolumeSnapshot', 'backup'));
    await populated(play);
  });

  test.each([
    ['ReferenceGrant', 'grant', 'NotGranted'],
    ['VolumeSnapshotLink', 'yesterday', 'LinkMissing'],
  ])('but not after the %s went', async (kind, name, reason) => {
    for (const isMade of [false, true]) {
      const play = await onTheWay(4, retaining());
      if (isMade) play.othersWork();
      play.objects = play.objects.filter((object) => object !== play.find(kind, name));
      expect(await play.settle(1, [claimKey, leftovers])).toContain(`wait ${reason}`);
      expect([play.copies, volumesOf(play)]).toEqual([[], []]);
    }
  });
});

describe('another snapshot of the same name', () => {
  test.each([1, 2, 3, 4])('after write %d is the one that is restored', async (count) => {
    const play = await onTheWay(count);
    const [snapshot, content] = sourceOf(play);
    if (!snapshot || !content) throw new Error('there is no source');
    play.replace(snapshot, { metadata: { uid: 'uid-of-another' } });
    play.replace(content, {
      spec: { volumeSnapshotRef: { uid: 'uid-of-another' } },
      status: { snapshotHandle: 'handle-2' },
    });
    await populated(play);
    const [volume] = volumesOf(play);
    expect(volume?.metadata.annotations?.['longshore.dev/copy-of']).toBe('prod/backup/uid-of-another');
  });
});

describe('a class that retains what it makes is heeded', () => {
  test('in the ordinary course of things', async () => {
    const play = new Play(retaining());
    await populated(play);
    expect(volumesOf(play)[0]?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
  });

  test('though consent was taken back for a moment, and a run broke off', async () => {
    const grant = everything().find(({ kind }) => kind === 'ReferenceGrant');
    for (const count of [1, 2, 3, 4, 5, 6, 7]) {
      const play = await onTheWay(4, retaining());
      play.othersWork();
      play.objects = play.objects.filter(({ kind }) => kind !== 'ReferenceGrant');
      await play.run(count);
      play.objects.push(...(grant ? [grant] : []));
      expect(await play.settle(Number.POSITIVE_INFINITY, [leftovers, claimKey])).toContain('done Populated');
      const policies = volumesOf(play).map(({ spec }) => spec.persistentVolumeReclaimPolicy);
      expect([count, policies]).toEqual([count, ['Retain']]);
    }
  });
});

test('two claims of one snapshot do not get in each other’s way', async () => {
  const [first, ...rest] = everything();
  const second = { ...first, metadata: { ...first?.metadata, name: 'second', uid: 'uid-second' } } as Claim;
  const play = new Play([...(first ? [first] : []), second, ...rest]);
  const keys = [claimKey, { namespace: 'test', name: 'second' }];
  expect(await play.settle(1, keys)).toBe('done Populated, done Populated');
  expect([play.copies, volumesOf(play).length]).toEqual([[], 2]);
  const names = ['copy', 'second'].map((name) => play.find<Claim>('PersistentVolumeClaim', name)?.spec.volumeName);
  expect(new Set(names).size).toBe(2);
});

test('the copy of the snapshot is what the prime claim is restored from', async () => {
  const play = await onTheWay(4);
  const copy = play.find<VolumeSnapshot>('VolumeSnapshot', copyName);
  expect([copy?.metadata.namespace, copy?.status?.readyToUse]).toEqual(['longshore-system', true]);
});
