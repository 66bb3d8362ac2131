import type { Claim, ObjectMeta } from '../../../kubernetes/objects.ts';
import {
  formatIdentity,
  formatPlace,
  type Identity,
  type Place,
  parseIdentity,
  parsePlace,
  sameIdentity,
} from '../../../kubernetes/places.ts';
import { resources } from '../../../kubernetes/resources.ts';

/**
 * The marks by which a transfer by request is written on claims. This file is the only one that knows how they are
 * spelled. On the source, the fence: our finalizer with the transfer's identity. On the target, which transfer made it and
 * where it came from. Their owners can write all of this too, so by itself it proves nothing.
 */
export const fenceFinalizer = 'longshore.dev/transfer';
const transferAnnotation = 'longshore.dev/transfer';
const targetAnnotation = 'longshore.dev/transfer-target';
const transferredByAnnotation = 'longshore.dev/transferred-by';
const transferredFromAnnotation = 'longshore.dev/transferred-from';

/** The annotations from which routing sees whom a change of a claim concerns. */
export const annotationsToRoute = {
  [transferAnnotation]: true,
  [transferredByAnnotation]: true,
  [transferredFromAnnotation]: true,
} as const;

/** A transfer is known by the request that asked for it, its uid included. */
export type TransferIdentity = Identity;

/** The transfer that has fenced a claim: while it has, the claim cannot vanish. */
export function fenceOf(claim: Claim | undefined): TransferIdentity | undefined {
  return claim && isFenced(claim) ? transferOf(claim) : undefined;
}

/** Whether our finalizer is on the claim, with or without the annotation that says why. */
export function isFenced(claim: Claim | undefined): boolean {
  return claim?.metadata.finalizers?.includes(fenceFinalizer) === true;
}

export function isFencedBy(claim: Claim | undefined, transfer: TransferIdentity): boolean {
  const fence = fenceOf(claim);
  return fence !== undefined && sameIdentity(fence, transfer);
}

export function addFence(claim: Claim, transfer: TransferIdentity, target: Place): object {
  const annotations = {
    [transferAnnotation]: formatIdentity(transfer),
    [targetAnnotation]: formatPlace(target),
  };
  return { metadata: { finalizers: [...otherFinalizers(claim), fenceFinalizer], annotations } };
}

/** Where a fenced claim was to go: for finding the target again when the request is gone. */
export function fencedFor(claim: Claim | undefined): Place | undefined {
  return fenceOf(claim) && parsePlace(claim?.metadata.annotations?.[targetAnnotation]);
}

/** Lets a claim go that lives on: nothing of the transfer stays on it. */
export function removeFence(claim: Claim): object {
  const annotations = { [transferAnnotation]: null, [targetAnnotation]: null };
  return { metadata: { finalizers: otherFinalizers(claim), annotations } };
}

/** Leaves the fence of a deleted claim to its owner's offers: no request moves it any more. */
export const leaveFence = { metadata: { annotations: { [transferAnnotation]: null, [targetAnnotation]: null } } };

/** Lets a deleted claim vanish. The transfer's name stays on it, so that its last change tells why it went. */
export function releaseDeleted(claim: Claim): object {
  return { metadata: { finalizers: otherFinalizers(claim) } };
}

/** The finalizers beside ours. Once a deleted claim has none, no pod uses it and none can start to. */
export function otherFinalizers(claim: Claim): string[] {
  return claim.metadata.finalizers?.filter((finalizer) => finalizer !== fenceFinalizer) ?? [];
}

/** The transfer that a claim was or is the source of. */
export function transferOf(claim: Claim): TransferIdentity | undefined {
  return parseIdentity(claim.metadata.annotations?.[transferAnnotation]);
}

export function transferredBy(claim: Claim | undefined): TransferIdentity | undefined {
  return parseIdentity(claim?.metadata.annotations?.[transferredByAnnotation]);
}

export function transferredFrom(claim: Claim | undefined): Place | undefined {
  return parsePlace(claim?.metadata.annotations?.[transferredFromAnnotation]);
}

/**
 * What makes a claim the target of a transfer. Until it has its volume the request owns it: should a worker that was
 * delayed make it after everything else has been rolled back, and the request deleted, the garbage collector takes it.
 */
export function markTarget(transfer: TransferIdentity): Pick<ObjectMeta, 'annotations' | 'ownerReferences'> {
  const { apiVersion, kind } = resources.transferRequest;
  return {
    annotations: { [transferredByAnnotation]: formatIdentity(transfer) },
    ownerReferences: [{ apiVersion, kind, name: transfer.name, uid: transfer.uid }],
  };
}

/** Makes a target claim that has its volume stand for itself, whatever becomes of the request. */
export function recordOrigin(target: Claim, transfer: TransferIdentity, source: Place): object {
  const owners = target.metadata.ownerReferences?.filter(({ uid }) => uid !== transfer.uid) ?? [];
  return {
    metadata: {
      annotations: { [transferredFromAnnotation]: formatPlace(source) },
      ownerReferences: owners.length > 0 ? owners : null,
    },
  };
}
