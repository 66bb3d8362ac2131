import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { type Place, parsePlace, placeOf, samePlace } from '../../kubernetes/places.ts';

export const provisionerAnnotation = 'pv.kubernetes.io/provisioned-by';
const migratedAnnotation = 'pv.kubernetes.io/migrated-to';
/** On a volume: the volume controller has written its `claimRef`. On a claim: it has written `volumeName`. */
const chosenAnnotation = 'pv.kubernetes.io/bound-by-controller';
/** What the specification of transfers shows people on a volume. */
const transferAnnotations = {
  status: 'pv.kubernetes.io/transfer-status',
  source: 'pv.kubernetes.io/transfer-source',
  destination: 'pv.kubernetes.io/transfer-destination',
};

/**
 * How a bound claim came by its volume. Volumes are out of the reach of users, so what stands on them counts.
 *
 * made         a provisioner has made it for this very claim
 * transferred  Longshore has transferred it from another claim
 * chosen       it lay about, and the volume controller found that it fits, without a look at any data source
 * given        somebody has written into one of the two that they belong together: a populator, or a person
 */
export type Origin = 'made' | 'transferred' | 'chosen' | 'given';

export function originOf(claim: Claim, volume: Volume): Origin {
  if (provisionerOf(volume) !== undefined && isNamedAfter(volume, claim)) return 'made';
  if (transferredFrom(claim, volume)) return 'transferred';
  return [volume, claim].every(({ metadata }) => metadata.annotations?.[chosenAnnotation]) ? 'chosen' : 'given';
}

/** Whether a claim was made for a volume that its owner names: what is in that is what they want. */
export function namesVolume({ metadata, spec }: Claim): boolean {
  return Boolean(spec.volumeName) && metadata.annotations?.[chosenAnnotation] === undefined;
}

/** Whether the two are bound to each other, as far as the volume says. */
export function belongsTo(volume: Volume | undefined, claim: Claim): volume is Volume {
  return volume?.spec.claimRef?.uid !== undefined && volume.spec.claimRef.uid === claim.metadata.uid;
}

/** Whose volume it was, when it came by a transfer to a claim of this name: its owner could take off what the claim says. */
export function transferredFrom(claim: Claim, { metadata }: Volume): Place | undefined {
  const { annotations = {} } = metadata;
  const source = parsePlace(annotations[transferAnnotations.source]);
  const destination = parsePlace(annotations[transferAnnotations.destination]);
  const isGiven = ['pending', 'complete'].includes(annotations[transferAnnotations.status] ?? '');
  if (!isGiven || !source || !destination || samePlace(source, destination)) return undefined;
  return samePlace(destination, placeOf(claim)) ? source : undefined;
}

/** The name of whoever made the volume; a driver that has taken over from a plugin of the cluster makes it in its name. */
export function provisionerOf({ metadata }: Volume): string | undefined {
  return metadata.annotations?.[migratedAnnotation] ?? metadata.annotations?.[provisionerAnnotation];
}

/** The CSI driver that a volume is of. Only such drivers know of snapshots and clones. */
export function driverOf({ metadata, spec }: Volume): string | undefined {
  const driver = spec.csi?.driver;
  return typeof driver === 'string' ? driver : metadata.annotations?.[migratedAnnotation];
}

/** The note of a populator on a volume, made with the library of the Kubernetes project: `<namespace>/<source>`. */
export function populatedFrom({ metadata }: Volume): string | undefined {
  return Object.entries(metadata.annotations ?? {}).find(([key]) => key.endsWith('/populated-from'))?.[1];
}

export function isChosen({ metadata }: Volume): boolean {
  return metadata.annotations?.[chosenAnnotation] !== undefined;
}

/** Whether the volume controller has written the name of the claim's volume, and not its user. */
export function isNameChosen({ metadata }: Claim): boolean {
  return metadata.annotations?.[chosenAnnotation] !== undefined;
}

/** Seconds are all that the cluster keeps: what is of the same one is not later. */
export function isLater(one: Pick<Volume, 'metadata'>, other: Pick<Volume, 'metadata'>): boolean {
  return Date.parse(one.metadata.creationTimestamp ?? '') > Date.parse(other.metadata.creationTimestamp ?? '');
}

export function isSameSecond(one: Pick<Volume, 'metadata'>, other: Pick<Volume, 'metadata'>): boolean {
  const { creationTimestamp } = one.metadata;
  return creationTimestamp !== undefined && creationTimestamp === other.metadata.creationTimestamp;
}

/** The name that a provisioner gives the volume of a claim, if nobody has told it otherwise. */
export function provisionedNameOf({ metadata }: Claim): string {
  return `pvc-${metadata.uid}`;
}

/** Fewer digits of a uid may be in the name of a volume of another claim. */
const fewestDigits = 8;

/** Provisioners name a volume after its claim's uid: all of it, or, where they are told to, its first digits. */
export function isNamedAfter(volume: Volume, claim: Claim): boolean {
  const { name } = volume.metadata;
  const { uid } = claim.metadata;
  if (!uid) return false;
  const digits = name.slice(name.lastIndexOf('-') + 1);
  return name.endsWith(`-${uid}`) || (digits.length >= fewestDigits && uid.replaceAll('-', '').startsWith(digits));
}
