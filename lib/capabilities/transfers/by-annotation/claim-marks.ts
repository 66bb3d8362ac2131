import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { formatPlace, type Place, parsePlace } from '../../../kubernetes/places.ts';
import { fenceFinalizer as fenceOfRequests, isFenced, transferOf } from '../by-request/claim-marks.ts';

/**
 * What users write on their claims to transfer them, and what is written there of the progress of it. This file is the
 * only one that knows how that is spelled. On the source claim, the fence: our finalizer, so that what its owner wanted
 * at the end is seen before it vanishes. On both claims, for people to see, whether the transfer is pending.
 */
export const offerAnnotation = 'transferRequest';
export const acceptAnnotation = 'transferAccept';

const fenceFinalizer = 'longshore.dev/transfer-offer';
const statusAnnotation = 'pvc.kubernetes.io/transfer-status';
const volumeAnnotation = 'longshore.dev/transfer-volume';
const transferredFromAnnotation = 'longshore.dev/transferred-from';

/** The annotations from which routing sees whom a change of a claim concerns. */
export const annotationsToRoute = {
  [offerAnnotation]: true,
  [acceptAnnotation]: true,
  [statusAnnotation]: true,
  [transferredFromAnnotation]: true,
} as const;

/** What a user wrote as the name of another claim: its place, which has one spelling only, or a text that is none. */
export type Wish = { place: Place; text: string } | { malformed: string };

/** To whom a claim is offered by its owner. */
export function offeredTo(claim: Claim | undefined): Wish | undefined {
  return wishOf(claim?.metadata.annotations?.[offerAnnotation]);
}

/** Whether the owner has written an offer, even a malformed one. */
export function hasOffer({ metadata }: Claim): boolean {
  return Boolean(metadata.annotations?.[offerAnnotation]);
}

/** Whose volume a claim accepts. */
export function acceptedFrom(claim: Claim | undefined): Wish | undefined {
  return wishOf(claim?.metadata.annotations?.[acceptAnnotation]);
}

/**
 * Whether a claim accepts a volume and has none yet: until then it has none to give, whatever it offers. One that has lost its
 * volume waits for none any more.
 */
export function isAccepting({ metadata, status }: Claim): boolean {
  const isWaiting = status?.phase !== 'Bound' && status?.phase !== 'Lost';
  return isWaiting && wishOf(metadata.annotations?.[acceptAnnotation]) !== undefined;
}

function wishOf(text: string | undefined): Wish | undefined {
  if (text === undefined || text === '') return undefined;
  const place = parsePlace(text);
  return place ? { place, text } : { malformed: text };
}

/** Whether our fence is on a claim. */
export function isOffered(claim: Claim | undefined): boolean {
  return claim?.metadata.finalizers?.includes(fenceFinalizer) === true || isLeftBehind(claim);
}

/**
 * Whether a request was withdrawn that had fenced the claim, after the claim was deleted: its fence is ours from then on. The
 * server lets nobody put another finalizer on a claim that is being deleted.
 */
function isLeftBehind(claim: Claim | undefined): boolean {
  return claim?.metadata.deletionTimestamp !== undefined && isFenced(claim) && transferOf(claim) === undefined;
}

/** Whether one of our fences holds a claim, whatever else its owner has written on it. */
export function isHeld(claim: Claim): boolean {
  return isOffered(claim) || isFenced(claim);
}

/** The finalizers beside ours. Once a deleted claim has none, no pod uses it and none can start to. */
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

/** Lets a deleted claim go whose volume is another's: by whichever fence it is held. */
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

/** On the target also which volume it waits for: when the source is gone nothing else that is near leads there. */
export function markPendingFor({ metadata }: Volume): object {
  return { metadata: { annotations: { [statusAnnotation]: 'pending', [volumeAnnotation]: metadata.name } } };
}

export function volumeFor({ spec, metadata }: Claim): string | undefined {
  return spec.volumeName || metadata.annotations?.[volumeAnnotation];
}

export const markComplete = {
  metadata: { annotations: { [statusAnnotation]: 'complete', [volumeAnnotation]: null } },
};

/** Names the volume for the volume controller, and for people where it came from. It also makes the controller look. */
export function receive(volume: Volume, source: Place): object {
  return {
    metadata: { annotations: { [transferredFromAnnotation]: formatPlace(source) } },
    spec: { volumeName: volume.metadata.name },
  };
}

/** Whether the claim has been told to be bound to the volume. */
export function hasReceived(claim: Claim, volume: Volume, source: Place): boolean {
  return (
    claim.spec.volumeName === volume.metadata.name &&
    claim.metadata.annotations?.[transferredFromAnnotation] === formatPlace(source)
  );
}

/** Whether the claim has had its volume from there, and is bound to it. */
export function hasArrived({ metadata, status }: Claim, source: Place): boolean {
  return status?.phase === 'Bound' && metadata.annotations?.[transferredFromAnnotation] === formatPlace(source);
}
