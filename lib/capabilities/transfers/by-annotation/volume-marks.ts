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
 * The record of an offer on the volume, which users cannot write to. The marks that it shares with kept volumes are
 * defined in kept-volume.ts, all others here. The annotations of `kubernetes.io` are from the specification, for people
 * to read; the others hold what is needed to finish, with the policy to restore on the volume.
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
  /** The source's namespace. Absent in records of earlier versions. */
  home: Home | undefined;
  destination: Place;
  /** The uid of the destination's namespace. Absent until that has been read, and in records of earlier versions. */
  destinationNamespace: Uid | undefined;
  originalPolicy: ReclaimPolicy;
  /**
   * The time at which the source was released with its owner's consent: from then on only the destination's consent
   * counts.
   */
  releasedAt: Date | undefined;
  isStopped: boolean;
}

/**
 * The fence of this claim is being removed; the version is that of the claim. Without a record on the volume, only this
 * mark warns a worker that is about to write one: the fence may be gone a moment later.
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

/**
 * True if the removal of the fence has been announced, and the claim has not changed since: it may be removed at any
 * moment.
 */
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

/** The source and the destination, as people read them: also after the transfer is over. */
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

/** The namespace of the new destination is recorded once it has been read. */
export function redirect(destination: Place): object {
  return {
    metadata: {
      annotations: { [destinationAnnotation]: formatPlace(destination), [destinationNamespaceAnnotation]: null },
    },
  };
}

/** Records the present namespace as the destination's; without one, removes it. */
export function mean(namespace: Namespace | undefined): object {
  return { metadata: { annotations: { [destinationNamespaceAnnotation]: namespace?.metadata.uid ?? null } } };
}

export function markReleased(now: Date): { metadata: { annotations: Record<string, string | null> } } {
  return { metadata: { annotations: { [releasedAnnotation]: now.toISOString(), [stoppedAnnotation]: null } } };
}

/**
 * The claim is gone, and no one else may have its volume: users of its namespace get it with a claim of its name, as
 * long as it is still the same namespace.
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

/** The volume belongs to the destination: its own policy is restored, and the mark of its origin stays. */
export function markTransferred({ originalPolicy }: Offer, volume: Volume): object {
  return withoutMark(volume, {
    metadata: { annotations: { [statusAnnotation]: 'complete', ...ownAnnotations } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  });
}

/** The owner withdrew the offer while the claim still exists: once the fence is removed, everything is as before. */
export function withdrawOffer({ originalPolicy }: Offer, source: Claim) {
  const seen = { [statusAnnotation]: null, [sourceAnnotation]: null, [destinationAnnotation]: null };
  return {
    metadata: { annotations: { ...seen, ...ownAnnotations, ...markUnfencing(source).metadata.annotations } },
    spec: { persistentVolumeReclaimPolicy: originalPolicy },
  };
}

/** The owner withdrew the offer and deletes the claim. */
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
