import type { ResourceVersion, Uid } from '../../../kubernetes/brands.ts';
import { pointTo } from '../../../kubernetes/claim-ref.ts';
import type { Claim, Namespace, ReclaimPolicy, Volume } from '../../../kubernetes/objects.ts';
import {
  formatIdentity,
  formatPlace,
  type Identity,
  identityOf,
  type Place,
  parseIdentity,
  parsePlace,
} from '../../../kubernetes/places.ts';
import { withMark, withoutMark } from '../kept-label.ts';
import {
  formatHome,
  type Home,
  homeAnnotation,
  keepVolume,
  ownerAnnotation,
  parseHome,
  policyAnnotation,
  policyOf,
  statusAnnotation,
} from '../kept-volume.ts';
import type { TransferReason } from '../reasons.ts';
import type { TransferWorld } from '../world.ts';

/**
 * The record of an offer on the volume, where no user can write. What it shares with volumes that are kept is spelled in
 * kept-volume.ts, the rest here and nowhere else. The annotations of `kubernetes.io` are those of the specification, for people to see; the others are what it takes to
 * finish, with the policy that the volume gets back.
 */
const sourceAnnotation = 'pv.kubernetes.io/transfer-source';
const destinationAnnotation = 'pv.kubernetes.io/transfer-destination';
const destinationNamespaceAnnotation = 'longshore.dev/transfer-destination-namespace';
const unfencingAnnotation = 'longshore.dev/transfer-unfencing';
const releasedAnnotation = 'longshore.dev/transfer-released';
const stoppedAnnotation = 'longshore.dev/transfer-stopped';

type Namespaces = Pick<TransferWorld, 'sourceNamespace' | 'targetNamespace'>;

export interface Offer {
  source: Identity;
  /** The namespace that the source is in. Absent in records of earlier versions. */
  home: Home | undefined;
  destination: Place;
  /** The uid of the namespace that is meant. Absent until that has been seen, and in records of earlier versions. */
  destinationNamespace: Uid | undefined;
  originalPolicy: ReclaimPolicy;
  /** When the source was let go with its owner's consent: from then on only the destination's consent counts. */
  releasedAt: Date | undefined;
  isStopped: boolean;
}

/**
 * The fence of this claim is being taken off, as the claim was in this version. Without a record on the volume that is the
 * only thing that tells a worker who is about to write one: the claim may have no fence any more in the next moment.
 */
export function unfencingOn(volume: Volume | undefined): { source: Identity; version: ResourceVersion } | undefined {
  const [namespace, name, uid, version, ...more] =
    volume?.metadata.annotations?.[unfencingAnnotation]?.split('/') ?? [];
  const source = parseIdentity(`${namespace}/${name}/${uid}`);
  return source && version && more.length === 0 ? { source, version } : undefined;
}

export function markUnfencing({ metadata }: Claim) {
  const mark = `${formatIdentity(identityOf({ metadata }))}/${metadata.resourceVersion}`;
  return { metadata: { annotations: { [unfencingAnnotation]: mark } } };
}

/** Whoever takes the fence off has said so before, and nobody has changed the claim since: it may be gone at any moment. */
export function mayLoseFence({ metadata }: Claim, volume: Volume | undefined): boolean {
  const unfencing = unfencingOn(volume);
  return unfencing?.source.uid === metadata.uid && unfencing?.version === metadata.resourceVersion;
}

export const noLongerUnfencing = { metadata: { annotations: { [unfencingAnnotation]: null } } };

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
    home: parseHome(annotations[homeAnnotation]),
    destination,
    destinationNamespace: annotations[destinationNamespaceAnnotation],
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
export function writeOffer(source: Claim, destination: Place, volume: Volume, namespaces: Namespaces) {
  const { sourceNamespace, targetNamespace } = namespaces;
  return {
    metadata: {
      annotations: {
        [statusAnnotation]: 'pending',
        [sourceAnnotation]: formatPlace(identityOf(source)),
        [destinationAnnotation]: formatPlace(destination),
        [ownerAnnotation]: formatIdentity(identityOf(source)),
        [policyAnnotation]: policyOf(source, volume),
        ...(unfencingOn(volume) ? noLongerUnfencing.metadata.annotations : {}),
        ...(sourceNamespace ? { [homeAnnotation]: formatHome(sourceNamespace) } : {}),
        ...(targetNamespace ? { [destinationNamespaceAnnotation]: targetNamespace.metadata.uid } : {}),
      },
    },
    spec: { persistentVolumeReclaimPolicy: 'Retain' },
  };
}

/** Which namespace is meant by the new name is seen when that has been read. */
export function redirect(destination: Place): object {
  return {
    metadata: {
      annotations: { [destinationAnnotation]: formatPlace(destination), [destinationNamespaceAnnotation]: null },
    },
  };
}

/** The namespace that is there now is the one that is meant; without one, none is any more. */
export function mean(namespace: Namespace | undefined): object {
  return { metadata: { annotations: { [destinationNamespaceAnnotation]: namespace?.metadata.uid ?? null } } };
}

export function markReleased(now: Date): { metadata: { annotations: Record<string, string | null> } } {
  return { metadata: { annotations: { [releasedAnnotation]: now.toISOString(), [stoppedAnnotation]: null } } };
}

/**
 * The claim is gone, and nobody else is to have its volume: the people of its namespace get it by a claim of its name, as
 * long as that is still the same namespace.
 */
export function offerBack({ owner, home }: { owner: Identity; home: Home }, now: Date): object {
  const { metadata, spec } = pointTo({ metadata: owner });
  const annotations = {
    ...metadata.annotations,
    [statusAnnotation]: 'pending',
    [sourceAnnotation]: formatPlace(owner),
    [destinationAnnotation]: formatPlace(owner),
    [destinationNamespaceAnnotation]: home.uid,
    ...markReleased(now).metadata.annotations,
  };
  return withMark('without-claim', { metadata: { annotations }, spec });
}

export function markStopped(reason: TransferReason): object {
  return withMark('without-claim', { metadata: { annotations: { [stoppedAnnotation]: reason } } });
}

const ownAnnotations = {
  [ownerAnnotation]: null,
  [homeAnnotation]: null,
  [destinationNamespaceAnnotation]: null,
  [releasedAnnotation]: null,
  [stoppedAnnotation]: null,
  [policyAnnotation]: null,
};

/** The volume is the destination's: it gets its own policy back, and keeps the note of where it came from. */
export function markTransferred({ originalPolicy }: Offer, volume: Volume): object {
  return withoutMark(volume, {
    metadata: { annotations: { [statusAnnotation]: 'complete', ...ownAnnotations } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  });
}

/** The owner has taken the offer back while they still have the claim: everything is as before when the fence is off. */
export function withdrawOffer({ originalPolicy }: Offer, source: Claim) {
  const seen = { [statusAnnotation]: null, [sourceAnnotation]: null, [destinationAnnotation]: null };
  return {
    metadata: { annotations: { ...seen, ...ownAnnotations, ...markUnfencing(source).metadata.annotations } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  };
}

/** The owner deletes the claim and has taken the offer back. */
export function withdrawLate(source: Claim, volume: Volume, { originalPolicy }: Offer): object {
  const kept = keepVolume(source, volume);
  const annotations = {
    [policyAnnotation]: originalPolicy,
    [destinationNamespaceAnnotation]: null,
    [releasedAnnotation]: null,
    [stoppedAnnotation]: null,
  };
  const unfencing = markUnfencing(source).metadata.annotations;
  return {
    ...kept,
    metadata: { ...kept.metadata, annotations: { ...kept.metadata.annotations, ...annotations, ...unfencing } },
  };
}
