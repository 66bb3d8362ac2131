import type { Claim, ReclaimPolicy, Volume } from '../../cluster/objects.ts';
import {
  formatIdentity,
  formatPlace,
  type Identity,
  identityOf,
  type Place,
  parseIdentity,
  parsePlace,
} from '../../cluster/places.ts';
import { keepVolume, ownerAnnotation, policyAnnotation, policyOf, statusAnnotation } from '../kept-volume.ts';

/**
 * The record of an offer on the volume, where no user can write. What it shares with volumes that are kept is spelled in kept-volume.ts, the rest here and nowhere else.
 * The annotations of `kubernetes.io` are those of the specification, for people to see; the others are what it takes to
 * finish, with the policy that the volume gets back.
 */
const sourceAnnotation = 'pv.kubernetes.io/transfer-source';
const destinationAnnotation = 'pv.kubernetes.io/transfer-destination';
const releasedAnnotation = 'longshore.dev/transfer-released';
const stoppedAnnotation = 'longshore.dev/transfer-stopped';

export interface Offer {
  source: Identity;
  destination: Place;
  originalPolicy: ReclaimPolicy;
  /** When the source was let go with its owner's consent: from then on only the destination's consent counts. */
  releasedAt: Date | undefined;
  isStopped: boolean;
}

/** The offer that a volume is part of, until it is complete or withdrawn. */
export function offerOn(volume: Volume | undefined): Offer | undefined {
  const annotations = volume?.metadata.annotations ?? {};
  if (annotations[statusAnnotation] !== 'pending') return undefined;
  const source = parseIdentity(annotations[ownerAnnotation]);
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

/** From where to where it goes or went, as people see it, for whoever looks: also when that is over. */
export function placesOn({ metadata: { annotations = {} } }: Volume): Place[] {
  return [sourceAnnotation, destinationAnnotation].flatMap((annotation) => parsePlace(annotations[annotation]) ?? []);
}

/** Secures the volume and records the offer in one patch: there is no moment with one but not the other. */
export function writeOffer(source: Claim, destination: Place, volume: Volume): object {
  return {
    metadata: {
      annotations: {
        [statusAnnotation]: 'pending',
        [sourceAnnotation]: formatPlace(identityOf(source)),
        [destinationAnnotation]: formatPlace(destination),
        [ownerAnnotation]: formatIdentity(identityOf(source)),
        [policyAnnotation]: policyOf(source, volume),
      },
    },
    spec: { persistentVolumeReclaimPolicy: 'Retain' },
  };
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
  [ownerAnnotation]: null,
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

/** The owner deletes the claim and has taken the offer back. */
export function withdrawLate(source: Claim, volume: Volume, { originalPolicy }: Offer): object {
  const kept = keepVolume(source, volume);
  const annotations = { [policyAnnotation]: originalPolicy, [releasedAnnotation]: null, [stoppedAnnotation]: null };
  return { ...kept, metadata: { annotations: { ...kept.metadata.annotations, ...annotations } } };
}
