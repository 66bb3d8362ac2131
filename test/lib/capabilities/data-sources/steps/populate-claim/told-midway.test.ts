import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { settings } from '../../../../../support/builders.ts';
import { volumeSnapshot } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf, testTable } from '../../populate-table.ts';

const { now, stages } = stage;
const all = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy', 'patch claim'];

describe('while the provisioner is at work, a claim says', () => {
  const waited = stage.prime({ creationTimestamp: stage.ago(6) });
  testTable([
    {
      situation: 'what the provisioner complains of',
      world: { ...stages.primeMade, prime: waited, trouble: 'no space left' },
      says: 'False ProvisioningFailed',
      next: 'wait',
      saying: 'no space left',
    },
    {
      situation: 'that it takes longer than a moment, in which nothing is wrong',
      world: { ...stages.primeMade, prime: waited },
      says: 'False Populating',
      next: 'wait',
      event: 'Normal',
    },
    {
      situation: 'that the volume is too small to be bound ever',
      world: { ...stages.primeBound, volume: stage.volume({ capacity: { storage: '1Gi' } }) },
      says: 'False VolumeTooSmall',
      next: 'reject',
      saying: 'with 1Gi, not 2Gi',
    },
    {
      situation: 'that somebody else than the driver of the snapshot has made the volume',
      world: { ...stages.primeBound, volume: stage.volume({ csi: { driver: 'file.example.com' } }) },
      says: 'False IgnoredByProvisioner',
      next: 'reject',
      saying: 'driver disk.example.com',
    },
    {
      situation: 'that no driver at all has made it',
      world: {
        ...stages.primeBound,
        volume: { ...stage.volume(), spec: (({ csi: _, ...spec }) => spec)(stage.volume().spec) },
      },
      says: 'False IgnoredByProvisioner',
      next: 'reject',
    },
    {
      situation: 'the same of one that tells no size',
      world: { ...stages.primeBound, volume: stage.volume({ capacity: {} }) },
      says: 'False VolumeTooSmall',
      next: 'reject',
    },
  ]);

  test.each([
    ['is gone', undefined],
    ['is being deleted', stage.volume({}, { ...stage.deleting, finalizers: ['kubernetes.io/pv-protection'] })],
    ['was given to somebody else', stage.volume({ claimRef: { ...stage.toClaim, uid: 'uid-of-another' } })],
  ])('that it begins anew when the volume of the prime claim %s', (_, volume) => {
    const { writes, world } = settle({ ...stages.primeBound, volume });
    expect(writes.filter((write) => write !== 'patch claim status')).toEqual(all);
    expect(world.claim?.status?.conditions).toMatchObject([{ status: 'False', reason: 'StartingOver' }]);
  });

  test.each([
    ['the same amount in other words', '2147483648'],
    ['more than was asked for', '3Gi'],
  ])('nothing of a volume with %s', (_, storage) => {
    const world = { ...stages.primeBound, volume: stage.volume({ capacity: { storage } }) };
    expect(summaryOf(decide(world, now))).toBe('patch volume');
  });

  test('nothing at all while it is a matter of moments', () => {
    expect(settle(stages.primeMade).writes).toEqual([]);
  });
});

describe('where what was begun may go on, it stays, with what was held', () => {
  test.each([
    ['when snapshots are switched off midway', { settings: settings('snapshots') }, 'wait SnapshotsOff'],
    ['when the class goes', { storageClass: undefined }, 'wait StorageClassMissing'],
    [
      'when the snapshot is not ready any more',
      { snapshot: volumeSnapshot({ status: { readyToUse: false } }) },
      'wait SnapshotNotReady',
    ],
  ])('%s', (_, change, answer) => {
    const { writes, decision } = settle({ ...stages.snapshotReady, ...change });
    expect([writes, summaryOf(decision)]).toEqual([['patch claim status'], answer]);
  });

  test('and what was switched off goes on when it is switched on', () => {
    const off = settle({ ...stages.snapshotReady, settings: settings('snapshots') });
    const { writes } = settle({ ...off.world, settings: settings() });
    expect(writes).toEqual(['create prime']);
  });

  test('a volume that is made is handed over whatever becomes of its class', () => {
    const storageClassGone = { ...stages.primeBound, storageClass: undefined };
    expect(summaryOf(decide(storageClassGone, now))).toBe('patch volume');
  });

  test('a claim that has its volume is finished though snapshots are switched off', () => {
    const world = stage.populated({ settings: settings('snapshots') });
    expect(summaryOf(settle(world).decision)).toBe('done Populated');
  });
});
