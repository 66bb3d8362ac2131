import type { ListedReason, Obstacle, Shown } from '../../reconcile/obstacle.ts';

/** The stages of a transfer by request in their order, each a condition on the users' objects. */
export const stages = {
  Matched: 'The request is approved.',
  SourceReady: 'The source claim is bound and may be moved.',
  Fenced: 'The source claim is fenced, and the target claim waits for its volume.',
  Moved: 'The volume belongs to the target claim.',
} as const;
export type Stage = keyof typeof stages;

interface ReasonOfTransfer extends ListedReason {
  /** The stage that a transfer by request cannot reach for this reason. */
  stage?: Stage;
  isOfSource?: true;
  /** It stalls the objects of this side: only another one of them helps. The other side waits for that. */
  stallsOnly?: SideOfRequest;
}

/** The object of each side of a transfer by request. */
export type SideOfRequest = 'request' | 'approval';

/** All reasons of transfers, by request and by annotation. */
const list = {
  ApprovalMissing: { stage: 'Matched', means: 'Nobody in the source namespace has approved the request yet.' },
  ApprovalDiffers: { stage: 'Matched', means: 'The approval does not match the request.' },
  ApprovalUsed: { stage: 'Matched', means: 'The approval was used for an earlier request of the same name.' },
  ApprovedClaimReplaced: {
    stage: 'Matched',
    stallsOnly: 'approval',
    means: 'The approval is for an earlier claim of the same name, by its uid.',
  },
  RequestMissing: { stage: 'Matched', means: 'There is no request for the approval yet.' },
  RequestDiffers: { stage: 'Matched', means: 'The request names another approval, or none.' },
  RequestComplete: { stage: 'Matched', means: 'The request says that it is complete, but nothing shows that it was.' },
  UnknownKind: { stage: 'Matched', stallsOnly: 'request', means: 'The source is not a PersistentVolumeClaim.' },
  Invalid: {
    stage: 'Matched',
    stallsOnly: 'request',
    means: 'A field or an annotation has a value that can never work.',
  },
  NamespaceReplaced: {
    stage: 'Matched',
    isOfSource: true,
    means: 'A namespace was recreated after one side had agreed to its predecessor.',
  },
  TransfersOff: { stage: 'Matched', isOfSource: true, means: 'An administrator has switched transfers off.' },
  SourceMissing: { stage: 'SourceReady', means: 'The source claim does not exist.' },
  SourceReplaced: {
    stage: 'SourceReady',
    stallsOnly: 'request',
    means: 'The claim whose uid was requested is gone, whether another one has its name or not.',
  },
  SourceNotBound: { stage: 'SourceReady', means: 'The source claim is not bound to a volume.' },
  SourceLost: { stage: 'SourceReady', means: 'The source claim has lost its volume.' },
  SourceBusy: { stage: 'SourceReady', means: 'The source claim is in another transfer, or is being copied.' },
  SourceDeleting: { stage: 'SourceReady', means: 'The source claim was deleted before the transfer began.' },
  VolumeMissing: { stage: 'SourceReady', means: "The source claim's volume does not exist." },
  VolumeNotBound: { stage: 'SourceReady', means: 'The volume is not bound to the source claim.' },
  VolumeDeleting: { stage: 'SourceReady', means: 'The volume is being deleted.' },
  VolumeBusy: { stage: 'SourceReady', means: 'The volume is in another transfer.' },
  VolumeResizing: { stage: 'SourceReady', means: 'The volume is being resized.' },
  VolumeModifying: { stage: 'SourceReady', means: 'The volume is being changed to another attributes class.' },
  SecretsInSourceNamespace: {
    stage: 'SourceReady',
    stalls: true,
    means: 'The volume refers to Secrets of the source namespace.',
  },
  RollingBack: { stage: 'SourceReady', means: 'An earlier transfer of the volume is being rolled back.' },
  SourceInUse: { stage: 'Fenced', means: 'Pods use the source claim.' },
  TargetExists: { stage: 'Fenced', means: "Another claim has the target's name." },
  TargetRefused: { stage: 'Fenced', means: 'The API server rejects the target claim.' },
  TargetDeleting: { stage: 'Fenced', means: 'The target claim is being deleted.' },
  WriteRefused: { stage: 'Fenced', means: 'The API server rejects a write that the transfer needs.' },
  SourceHeld: { stage: 'Moved', means: 'The deleted source claim is still held by pods or by other finalizers.' },
  VolumeTaken: { stage: 'Moved', means: 'Someone has bound the volume to another claim.' },
  NotOffered: { means: 'The volume that a claim accepts is not offered to it.' },
  AwaitingAcceptance: { means: 'No claim accepts the offered volume, or can have it, yet.' },
  AwaitingDeletion: {
    isOfSource: true,
    means: 'The volume is safe, and moves when the owner deletes the source claim.',
  },
  NamespaceMissing: { isOfSource: true, means: 'The namespace to which the claim is offered does not exist.' },
  SourceNamespaceReplaced: { means: "The accepting claim is older than the source's namespace." },
  DestinationTaken: {
    isOfSource: true,
    means: 'The claim to which the volume is offered has got another one by a transfer.',
  },
  TargetBound: { means: 'The accepting claim has another volume.' },
  TargetDiffers: { means: 'The accepting claim does not fit the volume.' },
  RequestTooSmall: { means: 'The accepting claim requests less than the volume has.' },
  SourceVanished: { means: "The source claim vanished before its owner's last word was known." },
  TransferWithdrawn: { means: 'The offer, or the request, was withdrawn.' },
  Failed: { stalls: true, means: 'All attempts to process it failed.' },
  Complete: { means: 'The transfer is complete.' },
  Matched: { means: stages.Matched },
  SourceReady: { means: stages.SourceReady },
  Fenced: { means: stages.Fenced },
  Moved: { means: stages.Moved },
  TransferBegun: { shown: 'Event', means: 'A transfer by request has begun.' },
  Transferred: { shown: 'Event', means: 'A transfer by request is complete.' },
  RolledBack: { shown: 'Event', means: 'A transfer by request was rolled back.' },
  TransferPending: { shown: 'Event', means: 'The offered volume is safe, and for whom.' },
  TransferComplete: { shown: 'Event', means: 'A transfer by annotation is complete.' },
  TargetMissing: { shown: 'log', means: 'The target claim has yet to be created.' },
  TargetNotBound: { shown: 'log', means: 'The cluster has yet to bind the target claim.' },
  ConsentTooOld: { shown: 'log', means: 'Consent is read again before something that cannot be taken back.' },
  PodsTooOld: { shown: 'log', means: 'Pods are read again before the volume moves.' },
  RequestOlderThanTarget: { shown: 'log', means: 'The request is read again, as the target claim was read after it.' },
  DestinationChanged: { shown: 'log', means: 'What the present offer concerns is read again.' },
  NoTransfer: { shown: 'log', means: 'There is no transfer to work on.' },
  RequestGone: { shown: 'log', means: 'The request does not exist any more.' },
  RequestDeleted: { shown: 'log', means: 'The request is being deleted.' },
  ApprovalGone: { shown: 'log', means: 'The approval does not exist any more, or is being deleted.' },
  SourceGone: { shown: 'log', means: 'The source claim does not exist any more.' },
  VolumeGone: { shown: 'log', means: 'The volume does not exist any more.' },
} as const satisfies Record<string, ReasonOfTransfer>;

export type TransferReason = keyof typeof list;
export type ShownTransferReason = Shown<typeof list>;
/** A reason why a transfer by request does not reach a stage. */
export type StagedReason = {
  [R in TransferReason]: (typeof list)[R] extends { stage: Stage } ? R : never;
}[TransferReason];

export type TransferObstacle = Obstacle<TransferReason>;
export type StagedObstacle = Obstacle<StagedReason>;

export const transferReasons: Readonly<Record<TransferReason, ReasonOfTransfer>> = list;

export function stageOf(reason: StagedReason): Stage {
  return list[reason].stage;
}

/** True if nothing but another object helps, or the work was given up: tools count it as a failure of this side. */
export function stallsOn(side: SideOfRequest, reason: string): boolean {
  if (!Object.hasOwn(list, reason)) return false;
  const { stalls, stallsOnly } = transferReasons[reason as TransferReason];
  return stalls === true || stallsOnly === side;
}

/** By annotation: something that the owner of the source can solve. All else is reported on the accepting claim. */
export function isOfSource(reason: TransferReason): boolean {
  return transferReasons[reason].isOfSource === true;
}
