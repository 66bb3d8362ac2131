import type { Claim, Volume } from '../../cluster/objects.ts';
import { formatPlace, type Place, parsePlace } from '../../cluster/places.ts';

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

/** Those that tell whom a change of a claim concerns. */
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

/** Whether its owner has written that a claim is offered, whatever the text says. */
export function hasOffer({ metadata }: Claim): boolean {
  return Boolean(metadata.annotations?.[offerAnnotation]);
}

/** Whose volume a claim accepts. */
export function acceptedFrom(claim: Claim | undefined): Wish | undefined {
  return wishOf(claim?.metadata.annotations?.[acceptAnnotation]);
}

function wishOf(text: string | undefined): Wish | undefined {
  if (text === undefined || text === '') return undefined;
  const place = parsePlace(text);
  return place ? { place, text } : { malformed: text };
}

/** Whether our fence is on a claim. */
export function isOffered(claim: Claim | undefined): boolean {
  return claim?.metadata.finalizers?.includes(fenceFinalizer) === true;
}

/** The finalizers beside ours. Once a deleted claim has none, no pod uses it and none can start to. */
export function otherFinalizers(claim: Claim): string[] {
  return claim.metadata.finalizers?.filter((finalizer) => finalizer !== fenceFinalizer) ?? [];
}

export function raiseFence(claim: Claim): object {
  return { metadata: { finalizers: [...otherFinalizers(claim), fenceFinalizer] } };
}

/** Takes off a claim what a transfer put there that is not made. */
export function clearClaim(claim: Claim): object {
  const annotations = isPending(claim) ? { annotations: { [statusAnnotation]: null, [volumeAnnotation]: null } } : {};
  return { metadata: { ...annotations, ...(isOffered(claim) ? { finalizers: otherFinalizers(claim) } : {}) } };
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
