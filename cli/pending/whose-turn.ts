import { explanationOf } from '../../lib/capabilities/explanations.ts';
import type { TransferReason } from '../../lib/capabilities/transfers/reasons.ts';

/** Who can go on, by the reason that an object gives: the same as `longshore why` says, for whoever looks at a namespace. */

/** In a transfer: who has the volume, who is to have it, or whoever has written the object that says so. */
export type Side = 'source' | 'target' | 'writer';
export type Turn<Who extends string> = Who | 'administrator' | 'nobody';

/** A transfer's reason is on the objects of both sides, so their owners are told apart here. */
export const sidesInTransfers: Partial<Record<TransferReason, Side>> = {
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
  SourceMissing: 'source',
  SourceReplaced: 'target',
  SourceLost: 'source',
  SourceDeleting: 'target',
  VolumeDeleting: 'source',
  SecretsInSourceNamespace: 'writer',
  SourceInUse: 'source',
  TargetExists: 'target',
  TargetRefused: 'target',
  SourceHeld: 'source',
  NotOffered: 'source',
  AwaitingAcceptance: 'target',
  AwaitingDeletion: 'source',
  NamespaceMissing: 'source',
  SourceNamespaceReplaced: 'target',
  DestinationTaken: 'source',
  TargetBound: 'target',
  TargetDiffers: 'target',
  RequestTooSmall: 'target',
  TransferWithdrawn: 'source',
};

/** Who has to do something, if that is a person: what a controller or Longshore does goes on by itself. */
function personIn(capability: string, reason: string): 'owner' | 'other side' | 'administrator' | 'nobody' {
  const { turn = 'nobody' } = explanationOf(reason, capability) ?? {};
  return turn === 'Longshore' || turn === 'cluster' ? 'nobody' : turn;
}

export function turnInTransfer(reason: string): Turn<Side> {
  const person = personIn('transfers', reason);
  if (person === 'administrator' || person === 'nobody') return person;
  return sidesInTransfers[reason as TransferReason] ?? 'writer';
}

/** Of a claim with a data source: whoever has the claim, or whoever has the snapshot. */
export function turnInData(reason: string): Turn<'claim' | 'snapshot'> {
  const person = personIn('data-sources', reason);
  if (person === 'owner') return 'claim';
  return person === 'other side' ? 'snapshot' : person;
}

/** Only what a Bucket itself reports: its content repeats its own reasons there in its message alone. */
export function turnInBucket(reason: string): Turn<'bucket'> {
  const person = personIn('buckets', reason);
  return person === 'owner' || person === 'other side' ? 'bucket' : person;
}
