import type { Claim, ReclaimPolicy, Volume } from '../../cluster/objects.ts';
import {
  formatIdentity,
  formatPlace,
  type Identity,
  identityOf,
  type Place,
  parseIdentity,
  parsePlace,
} from '../places.ts';

/**
 * What users write on their claims to transfer them, and the marks by which the progress of that is written on claims and
 * volumes. This file is the only one that knows how they are spelled. The annotations of `kubernetes.io` are those of the
 * specification, for people to see; the others are what it takes to finish.
 *
 * On the source claim, the fence: our finalizer, so that what its owner wanted at the end is seen before it vanishes. On
 * the volume, where no user can write, the record, with the policy that it gets back.
 */
export const offerAnnotation = 'transferRequest';
export const acceptAnnotation = 'transferAccept';

const fenceFinalizer = 'longshore.dev/transfer-offer';
const claimStatusAnnotation = 'pvc.kubernetes.io/transfer-status';
const volumeAnnotation = 'longshore.dev/transfer-volume';
const statusAnnotation = 'pv.kubernetes.io/transfer-status';
const sourceAnnotation = 'pv.kubernetes.io/transfer-source';
const destinationAnnotation = 'pv.kubernetes.io/transfer-destination';
const offeredByAnnotation = 'longshore.dev/transfer-offered-by';
const releasedAnnotation = 'longshore.dev/transfer-released';
const stoppedAnnotation = 'longshore.dev/transfer-stopped';
const policyAnnotation = 'longshore.dev/original-reclaim-policy';
const transferredFromAnnotation = 'longshore.dev/transferred-from';

/** What a user wrote as the name of another claim: its place, or a text that is none. */
export type Wish = { place: Place } | { malformed: string };

export interface Offer {
  source: Identity;
  destination: Place;
  originalPolicy: ReclaimPolicy;
  /** When the source was let go with its owner's consent: from then on only the destination's consent counts. */
  releasedAt: Date | undefined;
  isStopped: boolean;
}

/** To whom a claim is offered by its owner. */
export function offeredTo(claim: Claim | undefined): Wish | undefined {
  return wishOf(claim?.metadata.annotations?.[offerAnnotation]);
}

/** Whose volume a claim accepts. */
export function acceptedFrom(claim: Claim | undefined): Wish | undefined {
  return wishOf(claim?.metadata.annotations?.[acceptAnnotation]);
}

function wishOf(text: string | undefined): Wish | undefined {
  if (text === undefined || text === '') return undefined;
  const place = parsePlace(text);
  return place ? { place } : { malformed: text };
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
  const annotations = isPending(claim)
    ? { annotations: { [claimStatusAnnotation]: null, [volumeAnnotation]: null } }
    : {};
  return { metadata: { ...annotations, ...(isOffered(claim) ? { finalizers: otherFinalizers(claim) } : {}) } };
}

export function isPending(claim: Claim | undefined): boolean {
  return claim?.metadata.annotations?.[claimStatusAnnotation] === 'pending';
}

export function isComplete(claim: Claim | undefined): boolean {
  return claim?.metadata.annotations?.[claimStatusAnnotation] === 'complete';
}

export const markPending = { metadata: { annotations: { [claimStatusAnnotation]: 'pending' } } };

/** On the target also which volume it waits for: when the source is gone nothing else that is near leads there. */
export function markPendingFor({ metadata }: Volume): object {
  return { metadata: { annotations: { [claimStatusAnnotation]: 'pending', [volumeAnnotation]: metadata.name } } };
}

export function volumeFor({ spec, metadata }: Claim): string | undefined {
  return spec.volumeName ?? metadata.annotations?.[volumeAnnotation];
}

export const markComplete = {
  metadata: { annotations: { [claimStatusAnnotation]: 'complete', [volumeAnnotation]: null } },
};

/** The offer that a volume is part of, until it is complete or withdrawn. */
export function offerOn(volume: Volume | undefined): Offer | undefined {
  const annotations = volume?.metadata.annotations ?? {};
  if (annotations[statusAnnotation] !== 'pending') return undefined;
  const source = parseIdentity(annotations[offeredByAnnotation]);
  const destination = parsePlace(annotations[destinationAnnotation]);
  const originalPolicy = annotations[policyAnnotation] as ReclaimPolicy | undefined;
  if (!source || !destination || !originalPolicy) return undefined;
  const releasedAt = Date.parse(annotations[releasedAnnotation] ?? '');
  const isStopped = annotations[stoppedAnnotation] !== undefined;
  return {
    source,
    destination,
    originalPolicy,
    releasedAt: Number.isNaN(releasedAt) ? undefined : new Date(releasedAt),
    isStopped,
  };
}

/** Secures the volume and records the offer in one patch: there is no moment with one but not the other. */
export function writeOffer(source: Claim, destination: Place, volume: Volume): object {
  return {
    metadata: {
      annotations: {
        [statusAnnotation]: 'pending',
        [sourceAnnotation]: formatPlace(identityOf(source)),
        [destinationAnnotation]: formatPlace(destination),
        [offeredByAnnotation]: formatIdentity(identityOf(source)),
        [policyAnnotation]: policyToGiveBack(source, volume),
      },
    },
    spec: { persistentVolumeReclaimPolicy: 'Retain' },
  };
}

/** A volume whose offer was withdrawn late is retained by us, and not by its own policy. */
function policyToGiveBack(source: Claim, volume: Volume): string {
  const { annotations = {} } = volume.metadata;
  const isOurs = parseIdentity(annotations[offeredByAnnotation])?.uid === source.metadata.uid;
  const noted = annotations[statusAnnotation] === 'withdrawn' && isOurs ? annotations[policyAnnotation] : undefined;
  return noted ?? volume.spec.persistentVolumeReclaimPolicy ?? 'Retain';
}

export function redirect(destination: Place): object {
  return { metadata: { annotations: { [destinationAnnotation]: formatPlace(destination) } } };
}

export function markReleased(now: Date): { metadata: { annotations: Record<string, string | null> } } {
  return { metadata: { annotations: { [releasedAnnotation]: now.toISOString(), [stoppedAnnotation]: null } } };
}

export function markStopped(reason: string): object {
  return { metadata: { annotations: { [stoppedAnnotation]: reason } } };
}

const ownAnnotations = {
  [offeredByAnnotation]: null,
  [releasedAnnotation]: null,
  [stoppedAnnotation]: null,
  [policyAnnotation]: null,
};

/** The volume is the destination's: it gets its own policy back, and keeps the note of where it came from. */
export function markTransferred({ originalPolicy }: Offer): object {
  return {
    metadata: { annotations: { [statusAnnotation]: 'complete', ...ownAnnotations } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  };
}

/** The owner has taken the offer back while they still have the claim: everything is as before. */
export function withdrawOffer({ originalPolicy }: Offer): object {
  const seen = { [statusAnnotation]: null, [sourceAnnotation]: null, [destinationAnnotation]: null };
  return {
    metadata: { annotations: { ...seen, ...ownAnnotations } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  };
}

/**
 * The owner deletes the claim and has taken the offer back: nobody gets the volume, and nobody destroys it. Whose it was
 * and which policy it had stays on it, for whoever decides about it, and for an owner who offers it after all.
 */
export const withdrawLate = {
  metadata: { annotations: { [statusAnnotation]: 'withdrawn', [releasedAnnotation]: null, [stoppedAnnotation]: null } },
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
