import { describe } from '@jest/globals';
import { testTable, told } from './check-table.ts';
import * as stage from './stages.ts';

const { annotations, content, handedOver, late, snapshot, sources, volume, withoutDriver } = stage;
const bound = stage.claim(sources.snapshot, 'Bound');
const restored = { claim: bound, volume: volume(), snapshot: snapshot(), content: content() };
const known = { next: 'done', isAtRest: true } as const;
/** What its provisioner has made for it when it had another volume already. */
const keptForName = {
  ...volume({}, { claimRef: { namespace: 'prod', name: 'data' } }),
  status: { phase: 'Available' as const },
};
const useless = { next: 'reject', event: 'Warning', isAtRest: true } as const;
const nfs = withoutDriver(volume({ annotations: annotations.madeBy('nfs.example.com') }));

describe('a volume that was made for the claim', () => {
  const inTree = withoutDriver(volume({ annotations: annotations.migrated }));
  testTable([
    {
      situation: "by the snapshot's driver has the data",
      world: restored,
      says: 'True Restored',
      saying: `pvc-${stage.uid} was created from VolumeSnapshot monday by disk.example.com`,
      event: 'Normal',
      ...known,
    },
    {
      situation: 'with a part of the uid in its name has it too',
      world: { ...restored, volume: volume({ name: 'vol-0f8fad5bd9' }) },
      says: 'True Restored',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'by a driver in the name of a plugin that it has taken over from has it too',
      world: { ...restored, volume: inTree },
      says: 'True Restored',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'in the very second of the snapshot has it too',
      world: { ...restored, snapshot: snapshot({ creationTimestamp: stage.made }) },
      says: 'True Restored',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'has it though the snapshot goes by now',
      world: { ...restored, snapshot: snapshot({ deletionTimestamp: late }) },
      says: 'True Restored',
      event: 'Normal',
      ...known,
    },
    {
      situation: 'by another driver has not',
      world: { ...restored, content: content('file.example.com') },
      says: 'False IgnoredByProvisioner',
      saying: 'storage class whose provisioner is file.example.com',
      ...useless,
    },
    {
      situation: 'by no CSI driver has not',
      world: { claim: bound, volume: nfs },
      says: 'False IgnoredByProvisioner',
      saying: 'nfs.example.com, which cannot fill it',
      ...useless,
    },
    {
      situation: 'of the driver, but by another provisioner, has not',
      world: { ...restored, volume: volume({ annotations: annotations.madeBy('wrapper.example.com') }) },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'cannot be compared with a snapshot that is gone',
      world: { claim: bound, volume: volume() },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'cannot be compared with one that was taken later',
      world: { ...restored, snapshot: snapshot({ creationTimestamp: late }) },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'cannot be compared without a content',
      world: { ...restored, content: undefined },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'cannot be compared with a content of another snapshot',
      world: { ...restored, content: content('disk.example.com', 'uid-of-another') },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'cannot be compared with a content that the snapshot does not name',
      world: { ...restored, snapshot: snapshot({}, { boundVolumeSnapshotContentName: 'content-2' }) },
      says: 'Unknown SourceGone',
      ...known,
    },
    {
      situation: 'is not what it was when the driver is seen to differ',
      world: { ...restored, claim: told(restored), content: content('file.example.com') },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
  ]);
});

describe('a volume that was not made for the claim', () => {
  const chosen = { ...annotations.made, ...annotations.chosen };
  testTable([
    {
      situation: 'and lay about has nothing of the snapshot',
      world: { ...restored, volume: volume({ ...handedOver, annotations: chosen }) },
      says: 'False BoundToOtherVolume',
      saying: 'was free when the cluster bound it',
      ...useless,
    },
    {
      situation: 'and lay about is told beside what was made for the claim in vain, and is kept for its name',
      world: { ...restored, volume: volume({ ...handedOver, annotations: chosen }), unusedVolume: keptForName },
      says: 'False BoundToOtherVolume',
      saying: `volume pvc-${stage.uid} was created for it in the meantime, and is kept for the next claim with its name`,
      ...useless,
    },
    {
      situation: 'and was made by hand has nothing of it either, when the cluster has chosen it',
      world: { ...restored, volume: volume({ name: 'by-hand', annotations: annotations.chosen }) },
      says: 'False BoundToOtherVolume',
      ...useless,
    },
    {
      situation: 'may have the data if the owner of the claim has chosen it',
      world: {
        ...restored,
        claim: stage.claim(sources.snapshot, 'Bound', { annotations: {} }),
        volume: volume({ name: 'by-hand', annotations: annotations.chosen }),
      },
      says: 'Unknown OriginUnknown',
      saying: 'only they know',
      ...known,
    },
    {
      situation: 'may have the data if it names the claim',
      world: { ...restored, volume: volume({ name: 'by-hand', annotations: {} }) },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'by a name of its own, which only begins like the uid of the claim',
      world: { ...restored, volume: volume({ name: 'disk-0f8f' }) },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'though somebody has called it so',
      world: { ...restored, volume: volume({ annotations: {} }) },
      says: 'Unknown OriginUnknown',
      ...known,
    },
    {
      situation: 'and was transferred to it has the data of the other claim',
      world: {
        ...restored,
        claim: stage.claim(sources.snapshot, 'Bound', stage.arrivedByTransfer),
        volume: volume({ ...handedOver, annotations: annotations.transferred() }),
      },
      says: 'False BoundToOtherVolume',
      saying: 'transferred from claim team/old',
      ...useless,
    },
  ]);
});
