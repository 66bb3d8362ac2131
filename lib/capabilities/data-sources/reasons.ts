import type { ListedReason, Obstacle, Shown } from '../../reconcile/obstacle.ts';

interface ReasonOfData extends ListedReason {
  /** The restore in progress must not continue: the copies are deleted. Otherwise they wait with the claim. */
  endsWork?: true;
  /** A normal state of a restore: no one has to act. */
  isOrdinary?: true;
  /** Once a bound claim gives this reason, a check finds nothing else. */
  isFinal?: true;
}

/** All reasons of data sources: of claims that Longshore populates, and of those that it only checks. */
const list = {
  Populated: { isFinal: true, means: 'The volume has the data of its source.' },
  Populating: { isOrdinary: true, means: 'The provisioner is restoring the snapshot.' },
  AwaitingConsumer: { isOrdinary: true, means: 'The storage class waits for the first pod of the claim.' },
  SnapshotsOff: { isOrdinary: true, means: 'An administrator has switched snapshots of other namespaces off.' },
  StartingOver: {
    endsWork: true,
    isOrdinary: true,
    means: 'What an earlier attempt left is removed, and the restore starts again.',
  },
  LinkMissing: { endsWork: true, means: 'The VolumeSnapshotLink does not exist, or is being deleted.' },
  SourceInvalid: { endsWork: true, means: 'The data source names no snapshot.' },
  NotGranted: { endsWork: true, means: 'No ReferenceGrant lets the claim use the snapshot.' },
  SourceNamespaceReplaced: {
    endsWork: true,
    means: "The snapshot's namespace was recreated after the link or the claim was written.",
  },
  SnapshotMissing: { endsWork: true, means: 'The snapshot does not exist, or is being deleted.' },
  SnapshotNotBound: { endsWork: true, means: 'The snapshot and its content do not name each other.' },
  SnapshotNotReady: { means: 'The snapshot is not ready to use.' },
  CopyNotReady: { means: "The snapshot controller is processing Longshore's copy of the snapshot." },
  StorageClassMissing: { means: 'The claim has no storage class, or one that does not exist.' },
  OtherDriver: { means: 'The storage class belongs to another driver than the snapshot.' },
  SecretsNamedAfterClaim: { means: 'The storage class names its Secrets after the claim.' },
  ClaimTooSmall: { means: 'The claim requests less than the snapshot needs.' },
  OtherVolumeMode: { means: 'The claim requests another volume mode than that of the snapshot.' },
  ProvisioningFailed: { means: 'The provisioner reports a problem.' },
  VolumeTooSmall: { means: 'The provisioned volume is smaller than requested.' },
  OtherVolumeMatches: { means: 'The cluster bound a free volume instead of a new one from the snapshot.' },
  WriteRefused: { means: 'The API server rejects a write that the restore needs.' },
  Failed: { means: 'All attempts to process the claim failed.' },
  BoundToOtherVolume: { isFinal: true, means: 'The claim has a volume that was not created from its source.' },
  IgnoredByProvisioner: { isFinal: true, means: 'The volume was created by something that cannot fill it.' },
  VolumeLost: { means: "The claim's volume is gone, or belongs to another claim." },
  NotBound: { means: 'The claim has no volume yet, and nothing is known to be wrong.' },
  SourceMissing: { means: 'The data source does not exist.' },
  SourceNotReady: { means: 'The data source cannot be used yet.' },
  UnrecognizedDataSourceKind: { means: 'No VolumePopulator is registered for the kind of the data source.' },
  PopulatorsUnknown: { means: 'No VolumePopulator is registered in the cluster, so populators are unknown.' },
  ReferenceDropped: { means: 'The API server has dropped the data source of the claim.' },
  Restored: { isFinal: true, means: 'The volume was restored from the snapshot.' },
  Cloned: { isFinal: true, means: 'The volume was cloned from the source claim.' },
  Transferred: { isFinal: true, means: 'The volume was transferred to the claim.' },
  OriginUnknown: { isFinal: true, means: 'The volume was not created for the claim, so its contents are unknown.' },
  SourceGone: { isFinal: true, means: 'The data source is gone, so the volume cannot be compared with it.' },
  LeftToProvisioner: {
    isFinal: true,
    means: 'Only the provisioner knows whether it has followed a data source of another namespace.',
  },
  CheckFailed: { means: 'All attempts to check the data failed.' },
  Rescheduling: { shown: 'Event', means: 'The scheduler chooses another node for the volume.' },
  NotNeeded: { shown: 'Event', means: 'The volume arrived after its claim was gone, and is deleted.' },
  TakenInError: { shown: 'Event', means: 'The free volume was bound to a prime claim, and is given back.' },
  ClaimNotBound: { shown: 'log', means: 'The cluster has yet to bind the claim.' },
  ConsentTooOld: { shown: 'log', means: 'Consent is read again before something that cannot be taken back.' },
  PrimeGone: { shown: 'log', means: 'All is read again that matters without a prime claim.' },
  VolumesNotListed: { shown: 'log', means: 'Volumes are read again, for one that names the prime claim.' },
  ClaimGone: { shown: 'log', means: 'The claim does not exist any more, or is being deleted.' },
  NotOurs: { shown: 'log', means: 'The claim requests no snapshot from Longshore.' },
  NothingToCheck: { shown: 'log', means: 'The claim has no data source to check.' },
  SwitchedOff: { shown: 'log', means: 'An administrator has switched the checks off.' },
  Released: { shown: 'log', means: 'The deleted claim has left nothing.' },
  ClaimThere: { shown: 'log', means: 'The copies have a claim, whose own key takes care of them.' },
  Cleared: { shown: 'log', means: 'No copies are left whose claim is gone.' },
} as const satisfies Record<string, ReasonOfData>;

export type DataReason = keyof typeof list;
export type ShownDataReason = Shown<typeof list>;
export type DataObstacle = Obstacle<DataReason>;

export const dataReasons: Readonly<Record<DataReason, ReasonOfData>> = list;

/** True if the reason of a condition is final: there is nothing more to find out. */
export function isFinal(reason: string): boolean {
  return Object.hasOwn(list, reason) && dataReasons[reason as DataReason].isFinal === true;
}
