import type { Advice, Turn } from '../../reconcile/explanations.ts';
import type { TransferReason } from './reasons.ts';

const by =
  (turn: Turn) =>
  (todo: string): Advice => ({ turn, todo });
const [owner, other, administrator] = [by('owner'), by('other side'), by('administrator')];
const [cluster, longshore, nobody] = [by('cluster'), by('Longshore'), by('nobody')];

/** What to do about each reason that people see. */
export const transferAdvice: Readonly<Partial<Record<TransferReason, Advice>>> = {
  ApprovalMissing: other(
    'Create the StorageTransferApproval that the message names in the source namespace, or a ReferenceGrant.',
  ),
  ApprovalDiffers: owner(
    'Delete the object that is wrong, and create it again. The message names the fields that differ.',
  ),
  ApprovalUsed: other('An approval covers one transfer. To approve again, delete the approval and create it again.'),
  ApprovedClaimReplaced: other(
    'If the present claim is meant, its owner deletes the approval and approves the request again.',
  ),
  RequestMissing: other('Create the request that the approval names in the namespace that wants the claim.'),
  RequestDiffers: owner('Delete the approval, and create one that the request names.'),
  RequestComplete: owner('Delete the approval, unless it is meant for a later request of that name.'),
  UnknownKind: owner('Create another request: only a PersistentVolumeClaim can be moved.'),
  Invalid: owner('Correct the annotation, or delete the request and create a valid one.'),
  NamespaceReplaced: owner('Confirm the new namespace as the message says, if it is the one that is meant.'),
  TransfersOff: administrator('Turn transfers on in the ConfigMap longshore-system/longshore.'),
  SourceMissing: owner('Create the source claim, or delete the request.'),
  SourceReplaced: owner('If another claim is meant, create a request that names it.'),
  SourceNotBound: cluster('Wait until the source claim is bound. A class with WaitForFirstConsumer requires a pod.'),
  SourceLost: owner('Nothing can be moved: withdraw consent first, then delete the request or the annotation.'),
  SourceBusy: cluster('Wait for the other transfer or copy that the message names, or end it.'),
  SourceDeleting: owner('The claim cannot be moved any more: delete the request.'),
  VolumeMissing: administrator('Restore the volume, or have the request or annotation removed.'),
  VolumeNotBound: administrator('Find out which claim the volume belongs to.'),
  VolumeDeleting: owner('Copy the data while the claim exists: the volume goes with its claim.'),
  VolumeBusy: longshore('Wait for the other transfer of the volume.'),
  VolumeResizing: cluster(
    'Wait for the driver. If the message names FileSystemResizePending, start a pod with the claim.',
  ),
  VolumeModifying: cluster('Wait for the driver.'),
  SecretsInSourceNamespace: owner('Such a volume cannot be moved: copy the data instead.'),
  RollingBack: longshore('Wait until the earlier transfer is undone.'),
  SourceInUse: other('Delete the pods that the message names, including those that have ended.'),
  TargetExists: owner(
    'Free the name, or create a request with another targetName. If the source is gone already, keep the request.',
  ),
  TargetRefused: owner("Fix what the server refuses, such as a quota. The message is the server's."),
  TargetDeleting: cluster('Wait until the target is gone: it is created again if it is still wanted.'),
  WriteRefused: administrator("Fix what the server refuses, such as an admission policy. The message is the server's."),
  SourceHeld: other('Delete the pods, or end what holds the finalizers that the message names.'),
  VolumeTaken: administrator('Decide whose volume it is: it is left as it is, on Retain.'),
  NotOffered: other('Add the annotation that the message contains to the source claim.'),
  AwaitingAcceptance: other('Create a claim that accepts the volume, or correct the name in the annotation.'),
  AwaitingDeletion: other(
    'Delete the source claim while it has transfer-status: pending and the finalizer longshore.dev/transfer-offer. Without both its data would be lost.',
  ),
  NamespaceMissing: owner('Name a claim of another namespace, or wait until this one is created.'),
  SourceNamespaceReplaced: owner('Confirm the new namespace as the message says, if it is the one that is meant.'),
  DestinationTaken: owner('Name another claim in the annotation.'),
  TargetBound: owner('Accept the volume with a claim of another name.'),
  TargetDiffers: owner(
    'If the claim is not bound, delete it and create one that fits. The message says what does not.',
  ),
  RequestTooSmall: owner('Create the accepting claim again with the size in the message.'),
  SourceVanished: administrator('Decide whether the volume is given to the claim.'),
  TransferWithdrawn: owner('Nothing, or offer the claim again to one that accepts it.'),
  Failed: administrator(
    "Fix the cause in the message, then run 'longshore retry'. Otherwise it is tried again within a minute.",
  ),
  Complete: nobody('Nothing.'),
  Matched: longshore('Nothing.'),
  SourceReady: longshore('Nothing.'),
  Fenced: longshore('Nothing.'),
  Moved: longshore('Nothing.'),
  TransferBegun: longshore('Nothing.'),
  Transferred: nobody('Nothing.'),
  RolledBack: nobody('Nothing, or consent again.'),
  TransferPending: other(
    'Delete the source claim when the volume is to move, as long as it has the finalizer longshore.dev/transfer-offer.',
  ),
  TransferComplete: nobody('Nothing.'),
};
