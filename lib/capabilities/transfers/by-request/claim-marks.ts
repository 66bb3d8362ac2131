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
 * The marks of a transfer by request on claims. Their format is known only to this file. On the source, the fence: our
 * finalizer with the transfer's identity. On the target, the transfer that created it and its origin. The claims'
 * owners can write all of these too, so by themselves they prove nothing.
 */
export const fenceFinalizer = 'longshore.dev/transfer';
const transferAnnotation = 'longshore.dev/transfer';
const targetAnnotation = 'longshore.dev/transfer-target';
const transferredByAnnotation = 'longshore.dev/transferred-by';
const transferredFromAnnotation = 'longshore.dev/transferred-from';

/** The annotations by which routing finds the objects that a change of a claim concerns. */
export const annotationsToRoute = {
  [transferAnnotation]: true,
  [transferredByAnnotation]: true,
  [transferredFromAnnotation]: true,
} as const;

/** A transfer is identified by its request, including the uid. */
export type TransferIdentity = Identity;

/** The transfer that has fenced a claim: until the fence is removed, the claim cannot disappear. */
export function fenceOf(claim: Claim | undefined): TransferIdentity | undefined {
  return claim && isFenced(claim) ? transferOf(claim) : undefined;
}

/** True if our finalizer is on the claim, with or without the annotation that names the transfer. */
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

/** The destination of a fenced claim, to find the target again when the request is gone. */
export function fencedFor(claim: Claim | undefined): Place | undefined {
  return fenceOf(claim) && parsePlace(claim?.metadata.annotations?.[targetAnnotation]);
}

/** Releases a claim that is not deleted: no mark of the transfer stays on it. */
export function removeFence(claim: Claim): object {
  const annotations = { [transferAnnotation]: null, [targetAnnotation]: null };
  return { metadata: { finalizers: otherFinalizers(claim), annotations } };
}

/** Leaves the fence of a deleted claim to its owner's offers: no request moves the claim any more. */
export const leaveFence = { metadata: { annotations: { [transferAnnotation]: null, [targetAnnotation]: null } } };

/** Lets a deleted claim disappear. The transfer's name stays on it, so that its last change shows the reason. */
export function releaseDeleted(claim: Claim): object {
  return { metadata: { finalizers: otherFinalizers(claim) } };
}

/** The finalizers other than ours. Once a deleted claim has none, no pod uses it and none can start to. */
export function otherFinalizers(claim: Claim): string[] {
  return claim.metadata.finalizers?.filter((finalizer) => finalizer !== fenceFinalizer) ?? [];
}

/** The transfer whose source a claim was or is. */
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
 * The marks of a transfer's target. Until it has its volume it is owned by the request: if a delayed worker creates it
 * after everything else has been rolled back, and the request deleted, the garbage collector removes it.
 */
export function markTarget(transfer: TransferIdentity): Pick<ObjectMeta, 'annotations' | 'ownerReferences'> {
  const { apiVersion, kind } = resources.transferRequest;
  return {
    annotations: { [transferredByAnnotation]: formatIdentity(transfer) },
    ownerReferences: [{ apiVersion, kind, name: transfer.name, uid: transfer.uid }],
  };
}

/** Makes a target claim that has its volume independent of the request. */
export function recordOrigin(target: Claim, transfer: TransferIdentity, source: Place): object {
  const owners = target.metadata.ownerReferences?.filter(({ uid }) => uid !== transfer.uid) ?? [];
  return {
    metadata: {
      annotations: { [transferredFromAnnotation]: formatPlace(source) },
      ownerReferences: owners.length > 0 ? owners : null,
    },
  };
}
