import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { formatPlace, type Place, parsePlace } from '../../../kubernetes/places.ts';
import { fenceFinalizer as fenceOfRequests, isFenced, transferOf } from '../by-request/claim-marks.ts';

/**
 * The annotations that users write on their claims to transfer them, and the marks of the progress. Their format is
 * known only to this file. On the source claim, the fence: our finalizer, so that its owner's last decision is seen
 * before the claim disappears. On both claims, for people to read, the status of the transfer.
 */
export const offerAnnotation = 'transferRequest';
export const acceptAnnotation = 'transferAccept';

const fenceFinalizer = 'longshore.dev/transfer-offer';
const statusAnnotation = 'pvc.kubernetes.io/transfer-status';
const volumeAnnotation = 'longshore.dev/transfer-volume';
const transferredFromAnnotation = 'longshore.dev/transferred-from';

/** The annotations by which routing finds the claims that a change concerns. */
export const annotationsToRoute = {
  [offerAnnotation]: true,
  [acceptAnnotation]: true,
  [statusAnnotation]: true,
  [transferredFromAnnotation]: true,
} as const;

/** A user's value for the name of another claim: its place, which has only one spelling, or a malformed string. */
export type NamedClaim = { place: Place; text: string } | { malformed: string };

/** The claim to which the owner offers this one. */
export function offeredTo(claim: Claim | undefined): NamedClaim | undefined {
  return namedClaimIn(claim?.metadata.annotations?.[offerAnnotation]);
}

/** True if the owner has written an offer, even a malformed one. */
export function hasOffer({ metadata }: Claim): boolean {
  return Boolean(metadata.annotations?.[offerAnnotation]);
}

/** The claim whose volume this one accepts. */
export function acceptedFrom(claim: Claim | undefined): NamedClaim | undefined {
  return namedClaimIn(claim?.metadata.annotations?.[acceptAnnotation]);
}

/**
 * True if a claim accepts a volume and has none yet: until then it has none to give, whatever it offers. A claim that
 * has lost its volume no longer waits for one.
 */
export function isAccepting({ metadata, status }: Claim): boolean {
  const isWaiting = status?.phase !== 'Bound' && status?.phase !== 'Lost';
  return isWaiting && namedClaimIn(metadata.annotations?.[acceptAnnotation]) !== undefined;
}

function namedClaimIn(text: string | undefined): NamedClaim | undefined {
  if (text === undefined || text === '') return undefined;
  const place = parsePlace(text);
  return place ? { place, text } : { malformed: text };
}

/** True if our fence is on a claim. */
export function isOffered(claim: Claim | undefined): boolean {
  return claim?.metadata.finalizers?.includes(fenceFinalizer) === true || isLeftBehind(claim);
}

/**
 * True if a request that had fenced the claim was withdrawn after the claim was deleted: then its fence serves for us.
 * The API server accepts no new finalizers on a claim that is being deleted.
 */
function isLeftBehind(claim: Claim | undefined): boolean {
  return claim?.metadata.deletionTimestamp !== undefined && isFenced(claim) && transferOf(claim) === undefined;
}

/** True if one of our fences holds a claim, whatever else its owner has written on it. */
export function isHeld(claim: Claim): boolean {
  return isOffered(claim) || isFenced(claim);
}

/** The finalizers other than ours. Once a deleted claim has none, no pod uses it and none can start to. */
export function otherFinalizers(claim: Claim): string[] {
  return isLeftBehind(claim) ? foreignFinalizers(claim) : finalizersBut(claim, [fenceFinalizer]);
}

function foreignFinalizers(claim: Claim): string[] {
  return finalizersBut(claim, [fenceFinalizer, fenceOfRequests]);
}

function finalizersBut({ metadata }: Claim, ours: string[]): string[] {
  return metadata.finalizers?.filter((finalizer) => !ours.includes(finalizer)) ?? [];
}

export function addFence(claim: Claim): object {
  return { metadata: { finalizers: [...otherFinalizers(claim), fenceFinalizer] } };
}

/** Removes the marks of a transfer that did not happen. */
export function clearClaim(claim: Claim): object {
  return {
    metadata: { ...noLongerPending(claim), ...(isOffered(claim) ? { finalizers: otherFinalizers(claim) } : {}) },
  };
}

/** Releases a deleted claim whose volume belongs to another one, by removing whichever fence holds it. */
export function releaseClaim(claim: Claim): object {
  return { metadata: { ...noLongerPending(claim), finalizers: foreignFinalizers(claim) } };
}

function noLongerPending(claim: Claim): object {
  return isPending(claim) ? { annotations: { [statusAnnotation]: null, [volumeAnnotation]: null } } : {};
}

export function isPending(claim: Claim | undefined): boolean {
  return claim?.metadata.annotations?.[statusAnnotation] === 'pending';
}

export function isComplete(claim: Claim | undefined): boolean {
  return claim?.metadata.annotations?.[statusAnnotation] === 'complete';
}

export const markPending = { metadata: { annotations: { [statusAnnotation]: 'pending' } } };

/** On the target also the volume that it waits for: once the source is gone, nothing else on the target leads there. */
export function markPendingFor({ metadata }: Volume): object {
  return { metadata: { annotations: { [statusAnnotation]: 'pending', [volumeAnnotation]: metadata.name } } };
}

export function volumeFor({ spec, metadata }: Claim): string | undefined {
  return spec.volumeName || metadata.annotations?.[volumeAnnotation];
}

export const markComplete = {
  metadata: { annotations: { [statusAnnotation]: 'complete', [volumeAnnotation]: null } },
};

/**
 * Names the volume for the volume controller, and its origin for people. The change also makes the controller process
 * the claim.
 */
export function receive(volume: Volume, source: Place): object {
  return {
    metadata: { annotations: { [transferredFromAnnotation]: formatPlace(source) } },
    spec: { volumeName: volume.metadata.name },
  };
}

/** True if the claim names the volume to be bound to. */
export function hasReceived(claim: Claim, volume: Volume, source: Place): boolean {
  return (
    claim.spec.volumeName === volume.metadata.name &&
    claim.metadata.annotations?.[transferredFromAnnotation] === formatPlace(source)
  );
}

/** True if the claim got its volume from there, and is bound to it. */
export function hasArrived({ metadata, status }: Claim, source: Place): boolean {
  return status?.phase === 'Bound' && metadata.annotations?.[transferredFromAnnotation] === formatPlace(source);
}
