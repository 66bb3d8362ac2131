import type { Advice, Turn } from '../../reconcile/explanations.ts';
import type { DataReason } from './reasons.ts';

const by =
  (turn: Turn) =>
  (todo: string): Advice => ({ turn, todo });
const [owner, other, administrator] = [by('owner'), by('other side'), by('administrator')];
const [cluster, longshore, nobody] = [by('cluster'), by('Longshore'), by('nobody')];

/** What to do about each reason that people see. "Create the claim again" is for claims that have no volume yet. */
export const dataAdvice: Readonly<Partial<Record<DataReason, Advice>>> = {
  Populated: nobody('Nothing.'),
  Populating: cluster('Wait for the provisioner.'),
  AwaitingConsumer: owner('Start a pod that uses the claim.'),
  SnapshotsOff: administrator('Turn snapshots on in the ConfigMap longshore-system/longshore.'),
  StartingOver: longshore('Wait.'),
  LinkMissing: owner("Create the VolumeSnapshotLink in the claim's namespace."),
  SourceInvalid: owner('Create the claim again with a reference such as prod.backup.'),
  NotGranted: other("Create the ReferenceGrant that the message describes in the snapshot's namespace."),
  SourceNamespaceReplaced: owner('Confirm the new namespace as the message says, if it is the one that is meant.'),
  SnapshotMissing: other('Create the snapshot, or have the claim name another one.'),
  SnapshotNotBound: other('Use a snapshot that is bound both ways.'),
  SnapshotNotReady: cluster('Wait for the snapshot, or look at it with kubectl describe.'),
  CopyNotReady: administrator('Fix what the snapshot controller says; usually a snapshot class is missing.'),
  StorageClassMissing: administrator(
    'Create the class, or mark one as the default. A claim without a class must be created again.',
  ),
  OtherDriver: owner('Create the claim again with a class of the driver that the message names.'),
  SecretsNamedAfterClaim: owner('Create the claim again with another class of the same driver.'),
  ClaimTooSmall: owner('Create the claim again with the size in the message.'),
  OtherVolumeMode: owner('Create the claim again with the volume mode of the snapshot.'),
  ProvisioningFailed: administrator('Fix what the provisioner says. It is tried again.'),
  VolumeTooSmall: owner('Create the claim again with the size in the message.'),
  OtherVolumeMatches: owner('Create the claim again when no free volume of the class fits, or with another class.'),
  WriteRefused: administrator("Fix what the server refuses, such as a quota. The message is the server's."),
  Failed: administrator(
    "Fix the cause in the message, then run 'longshore retry'. Otherwise it is tried again within a minute.",
  ),
  BoundToOtherVolume: owner('Create another claim. Do not delete this one: its volume may hold data of others.'),
  IgnoredByProvisioner: owner('Do not use the volume. Create another claim with the class of a driver that fits.'),
  VolumeLost: administrator('Restore the volume, or create another claim.'),
  NotBound: cluster('Wait. If it takes long, kubectl describe pvc says what the provisioner reports.'),
  SourceMissing: owner('Create the source, or create the claim again with another one.'),
  SourceNotReady: cluster('Wait until the source can be used, or fix what the message says.'),
  UnrecognizedDataSourceKind: administrator(
    'Install the populator of the kind, or have the claim created with another source.',
  ),
  PopulatorsUnknown: administrator('Register the populators of the cluster as VolumePopulators.'),
  ReferenceDropped: owner('Create another claim with a VolumeSnapshotLink, or have the admission policies applied.'),
  Restored: nobody('Nothing.'),
  Cloned: nobody('Nothing.'),
  Transferred: nobody('Nothing.'),
  OriginUnknown: owner('Look into the volume: nobody knows where its data is from.'),
  SourceGone: owner('Look into the volume: there is nothing left to compare it with.'),
  LeftToProvisioner: owner('Look into the volume: only its provisioner knows.'),
  CheckFailed: longshore('Wait: it is tried about every minute. The message has the last error.'),
  Rescheduling: cluster('Wait for the scheduler.'),
  NotNeeded: nobody('Nothing.'),
  TakenInError: longshore('Wait: the volume is given back.'),
};
