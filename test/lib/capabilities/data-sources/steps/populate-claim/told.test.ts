import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { settings } from '../../../../../support/builders.ts';
import {
  linkedClaim,
  referringClaim,
  snapshotContent,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf, testTable } from '../../populate-table.ts';

const { agreed, now } = stage;

/** What a class may have in the name of a Secret. */
const template = (field: string) => `$\{${field}}`;

describe('before anything is begun, a claim says', () => {
  testTable([
    {
      situation: 'that snapshots are switched off',
      world: agreed({ settings: settings('snapshots') }),
      says: 'False SnapshotsOff',
      next: 'wait',
      event: 'Normal',
      saying: 'it is off',
    },
    {
      situation: 'that its link is missing',
      world: agreed({ link: undefined, wanted: undefined, grants: undefined, snapshot: undefined }),
      says: 'False LinkMissing',
      next: 'wait',
      saying: 'VolumeSnapshotLink test/yesterday',
    },
    {
      situation: 'that its link is being deleted',
      world: agreed({ link: snapshotLink({ metadata: stage.deleting }) }),
      says: 'False LinkMissing',
      next: 'wait',
      saying: 'is being deleted',
    },
    {
      situation: 'that its reference names nothing',
      world: agreed({
        claim: referringClaim({}, 'backup'),
        link: undefined,
        wanted: { namespace: '', name: 'backup' },
      }),
      says: 'False SourceInvalid',
      next: 'reject',
      saying: '<namespace>.<name>',
    },
    {
      situation: 'that its link names what can be no name',
      world: agreed({ wanted: { namespace: 'prod', name: '../backup' } }),
      says: 'False SourceInvalid',
      next: 'reject',
    },
    {
      situation: 'that nobody has granted it',
      world: agreed({ grants: [] }),
      says: 'False NotGranted',
      next: 'wait',
      saying:
        'no ReferenceGrant in namespace prod lets VolumeSnapshotLink (group "snapshot.storage.k8s.io") of namespace test',
    },
    {
      situation: 'that there is no snapshot',
      world: agreed({ snapshot: undefined, content: undefined }),
      says: 'False SnapshotMissing',
      next: 'wait',
      saying: 'VolumeSnapshot prod/backup does not exist (yet)',
    },
    {
      situation: 'that the snapshot is being deleted',
      world: agreed({ snapshot: volumeSnapshot({ metadata: stage.deleting }) }),
      says: 'False SnapshotMissing',
      next: 'wait',
      saying: 'is being deleted',
    },
    {
      situation: 'that the snapshot is not bound',
      world: agreed({ snapshot: { ...volumeSnapshot(), status: undefined } as never, content: undefined }),
      says: 'False SnapshotNotReady',
      next: 'wait',
      saying: 'not bound to a content',
    },
    {
      situation: 'that the content of the snapshot is not there',
      world: agreed({ content: undefined }),
      says: 'False SnapshotNotReady',
      next: 'wait',
    },
    {
      situation: 'that the snapshot is not ready',
      world: agreed({ snapshot: volumeSnapshot({ status: { readyToUse: false } }) }),
      says: 'False SnapshotNotReady',
      next: 'wait',
      saying: 'not ready to use',
    },
    {
      situation: 'what is wrong with the snapshot',
      world: agreed({
        snapshot: volumeSnapshot({ status: { readyToUse: false, error: { message: 'quota of disks' } } }),
      }),
      says: 'False SnapshotNotReady',
      next: 'wait',
      saying: 'quota of disks',
    },
    {
      situation: 'that the store has told no handle of the snapshot',
      world: agreed({ content: snapshotContent({ status: {} }) }),
      says: 'False SnapshotNotReady',
      next: 'wait',
    },
    ...(['namespace', 'name', 'uid'] as const).map((field) => ({
      situation: `that the content belongs to another snapshot by its ${field}`,
      world: agreed({
        content: snapshotContent({
          spec: { volumeSnapshotRef: { namespace: 'prod', name: 'backup', uid: 'uid-snapshot', [field]: 'other' } },
        }),
      }),
      says: 'False SnapshotNotBound',
      next: 'reject' as const,
      saying: 'do not name each other',
    })),
    {
      situation: 'that a content which only expects the snapshot by name is not its own yet',
      world: agreed({
        content: snapshotContent({ spec: { volumeSnapshotRef: { namespace: 'prod', name: 'backup' } } }),
      }),
      says: 'False SnapshotNotBound',
      next: 'reject',
    },
    {
      situation: 'that it names no class, which a default may mend',
      world: agreed({
        claim: linkedClaim({ spec: { storageClassName: undefined as never } }),
        storageClass: undefined,
      }),
      says: 'False StorageClassMissing',
      next: 'wait',
      saying: 'disk.example.com',
    },
    {
      situation: 'that it asks for no class at all',
      world: agreed({ claim: linkedClaim({ spec: { storageClassName: '' } }), storageClass: undefined }),
      says: 'False StorageClassMissing',
      next: 'reject',
    },
    {
      situation: 'that its class is missing',
      world: agreed({ storageClass: undefined }),
      says: 'False StorageClassMissing',
      next: 'wait',
      saying: 'there is no StorageClass fast (yet)',
    },
    {
      situation: 'that its class is of another driver',
      world: agreed({ storageClass: storageClass({ provisioner: 'file.example.com' }) }),
      says: 'False OtherDriver',
      next: 'reject',
      saying: 'StorageClass fast is of file.example.com',
    },
    ...[template('pvc.name'), `of-${template('pvc.namespace')}`, template("pvc.annotations['a/b']")].map((value) => ({
      situation: `that the Secrets of its class are named after the claim: ${value}`,
      world: agreed({
        storageClass: storageClass({ parameters: { 'csi.storage.k8s.io/provisioner-secret-name': value } } as object),
      }),
      says: 'False SecretsNamedAfterClaim',
      next: 'reject' as const,
      saying: 'csi.storage.k8s.io/provisioner-secret-name',
    })),
    {
      situation: 'that it is smaller than the snapshot',
      world: agreed({ claim: linkedClaim({ spec: { resources: { requests: { storage: '1023Mi' } } } }) }),
      says: 'False ClaimTooSmall',
      next: 'reject',
      saying: 'requests 1023Mi, but the snapshot needs 1Gi',
    },
    {
      situation: 'that it asks for another mode',
      world: agreed({ claim: linkedClaim({ spec: { volumeMode: 'Block' } }) }),
      says: 'False OtherVolumeMode',
      next: 'reject',
      saying: 'VolumeSnapshotContent content-1',
    },
    {
      situation: 'that it waits for a pod, in which nothing is wrong',
      world: agreed({ storageClass: storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }) }),
      says: 'False AwaitingConsumer',
      next: 'wait',
      event: 'Normal',
      saying: 'StorageClass fast',
    },
  ]);

  test.each([
    ['are fixed', { 'csi.storage.k8s.io/provisioner-secret-name': 'shared' }],
    [
      'are named after the volume, which stays the same',
      { 'csi.storage.k8s.io/node-stage-secret-name': template('pv.name') },
    ],
    ['are none', { type: template('pvc.name') }],
  ])('nothing of Secrets whose names %s', (_, parameters) => {
    const world = agreed({ storageClass: storageClass({ parameters } as object) });
    expect(summaryOf(decide(world, now))).toBe('patch claim');
  });

  test('and is not held in any of these, so that it can be deleted at once', () => {
    for (const world of [
      agreed({ grants: [] }),
      agreed({ snapshot: undefined }),
      agreed({ storageClass: undefined }),
    ]) {
      expect(settle(world).writes).toEqual(['patch claim status']);
    }
  });
});
