import type { BucketReason } from '../../lib/capabilities/buckets/reasons.ts';
import type { DataReason } from '../../lib/capabilities/data-sources/reasons.ts';
import type { TransferReason } from '../../lib/capabilities/transfers/reasons.ts';

/** Who can go on, by the reason that an object gives. What somebody sees who is not named here goes on by itself. */

/** In a transfer: who has the volume, who is to have it, or whoever has written the object that says so. */
export type Side = 'source' | 'target' | 'writer';
export type Turn<Who extends string> = Who | 'administrator' | 'nobody';

const turnsInTransfers: Partial<Record<TransferReason, Turn<Side>>> = {
  ApprovalMissing: 'source',
  ApprovalDiffers: 'source',
  ApprovalUsed: 'source',
  ApprovedClaimReplaced: 'source',
  RequestMissing: 'target',
  RequestDiffers: 'source',
  RequestComplete: 'source',
  UnknownKind: 'target',
  Invalid: 'writer',
  NamespaceReplaced: 'writer',
  TransfersOff: 'administrator',
  SourceMissing: 'source',
  SourceReplaced: 'target',
  SourceNotBound: 'source',
  SourceLost: 'source',
  SourceBusy: 'source',
  SourceDeleting: 'target',
  VolumeMissing: 'administrator',
  VolumeNotBound: 'administrator',
  VolumeDeleting: 'source',
  VolumeBusy: 'nobody',
  VolumeResizing: 'nobody',
  VolumeModifying: 'nobody',
  SecretsInSourceNamespace: 'writer',
  RollingBack: 'nobody',
  SourceInUse: 'source',
  TargetExists: 'target',
  TargetRefused: 'target',
  TargetDeleting: 'target',
  WriteRefused: 'administrator',
  SourceHeld: 'source',
  VolumeTaken: 'administrator',
  NotOffered: 'source',
  AwaitingAcceptance: 'target',
  AwaitingDeletion: 'source',
  NamespaceMissing: 'source',
  SourceNamespaceReplaced: 'target',
  DestinationTaken: 'source',
  TargetBound: 'target',
  TargetDiffers: 'target',
  RequestTooSmall: 'target',
  SourceVanished: 'administrator',
  TransferWithdrawn: 'source',
  Failed: 'administrator',
};

/** Of a claim with a data source: whoever has the claim, or whoever has the snapshot. */
const turnsInData: Partial<Record<DataReason, Turn<'claim' | 'snapshot'>>> = {
  Populating: 'nobody',
  AwaitingConsumer: 'claim',
  SnapshotsOff: 'administrator',
  StartingOver: 'nobody',
  LinkMissing: 'claim',
  SourceInvalid: 'claim',
  NotGranted: 'snapshot',
  SourceNamespaceReplaced: 'claim',
  SnapshotMissing: 'snapshot',
  SnapshotNotBound: 'snapshot',
  SnapshotNotReady: 'snapshot',
  CopyNotReady: 'administrator',
  StorageClassMissing: 'claim',
  OtherDriver: 'claim',
  SecretsNamedAfterClaim: 'claim',
  ClaimTooSmall: 'claim',
  OtherVolumeMode: 'claim',
  ProvisioningFailed: 'administrator',
  VolumeTooSmall: 'claim',
  OtherVolumeMatches: 'claim',
  WriteRefused: 'administrator',
  Failed: 'administrator',
  IgnoredByProvisioner: 'claim',
  VolumeLost: 'claim',
  NotBound: 'nobody',
  SourceMissing: 'claim',
  SourceNotReady: 'claim',
  UnrecognizedDataSourceKind: 'claim',
  PopulatorsUnknown: 'administrator',
  ReferenceDropped: 'claim',
  CheckFailed: 'administrator',
};

/** Only what a Bucket itself reports: its content repeats its own reasons there in its message alone. */
const turnsInBuckets: Partial<Record<BucketReason, Turn<'bucket'>>> = {
  Provisioning: 'nobody',
  BucketsOff: 'administrator',
  ClassNotFound: 'bucket',
  ClassNotForNamespace: 'administrator',
  Invalid: 'bucket',
  DriverNotRegistered: 'administrator',
  Waiting: 'nobody',
  Retrying: 'nobody',
  ProvisioningFailed: 'administrator',
  AwaitingSecret: 'nobody',
  ContentTaken: 'administrator',
  ContentDeleted: 'administrator',
  Releasing: 'nobody',
  SecretExists: 'bucket',
  SecretExistsTimeout: 'bucket',
  CredentialsLost: 'nobody',
  SourceSecretMissing: 'administrator',
  SourceSecretIncomplete: 'administrator',
  WriteRefused: 'administrator',
  Failed: 'administrator',
};

function turnIn<Who extends string>(turns: Readonly<Record<string, Turn<Who> | undefined>>) {
  return (reason: string): Turn<Who> => (Object.hasOwn(turns, reason) ? turns[reason] : undefined) ?? 'nobody';
}

export const turnInTransfer = turnIn<Side>(turnsInTransfers);
export const turnInData = turnIn<'claim' | 'snapshot'>(turnsInData);
export const turnInBucket = turnIn<'bucket'>(turnsInBuckets);
export const known = { transfers: turnsInTransfers, data: turnsInData, buckets: turnsInBuckets };
