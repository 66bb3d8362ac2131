import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { type Place, parsePlace, placeOf, samePlace } from '../../kubernetes/places.ts';

export const provisionerAnnotation = 'pv.kubernetes.io/provisioned-by';
const migratedAnnotation = 'pv.kubernetes.io/migrated-to';
/** On a volume: the volume controller has written its `claimRef`. On a claim: it has written `volumeName`. */
const chosenAnnotation = 'pv.kubernetes.io/bound-by-controller';
/** The annotations that the specification of transfers defines for people to read on a volume. */
const transferAnnotations = {
  status: 'pv.kubernetes.io/transfer-status',
  source: 'pv.kubernetes.io/transfer-source',
  destination: 'pv.kubernetes.io/transfer-destination',
};

/**
 * The way in which a bound claim got its volume. Users cannot write to volumes, so the marks on them count.
 *
 * made         a provisioner made it for this very claim
 * transferred  Longshore transferred it from another claim
 * chosen       the volume controller found an existing volume that fits, without regard to any data source
 * given        a populator or a person has written into one of the two that they belong together
 */
export type Origin = 'made' | 'transferred' | 'chosen' | 'given';

export function originOf(claim: Claim, volume: Volume): Origin {
  if (provisionerOf(volume) !== undefined && isNamedAfter(volume, claim)) return 'made';
  if (transferredFrom(claim, volume)) return 'transferred';
  return [volume, claim].every(({ metadata }) => metadata.annotations?.[chosenAnnotation]) ? 'chosen' : 'given';
}

/** True if the claim's owner named its volume: then they want the data in it. */
export function namesVolume({ metadata, spec }: Claim): boolean {
  return Boolean(spec.volumeName) && metadata.annotations?.[chosenAnnotation] === undefined;
}

/** True if the two are bound to each other, as far as the volume shows. */
export function belongsTo(volume: Volume | undefined, claim: Claim): volume is Volume {
  return volume?.spec.claimRef?.uid !== undefined && volume.spec.claimRef.uid === claim.metadata.uid;
}

/**
 * The source of the transfer by which the volume came to a claim of this name. It is read from the volume, as the
 * claim's owner could remove the marks on the claim.
 */
export function transferredFrom(claim: Claim, { metadata }: Volume): Place | undefined {
  const { annotations = {} } = metadata;
  const source = parsePlace(annotations[transferAnnotations.source]);
  const destination = parsePlace(annotations[transferAnnotations.destination]);
  const isGiven = ['pending', 'complete'].includes(annotations[transferAnnotations.status] ?? '');
  if (!isGiven || !source || !destination || samePlace(source, destination)) return undefined;
  return samePlace(destination, placeOf(claim)) ? source : undefined;
}

/**
 * The name of the provisioner that made the volume; a driver that replaced an in-tree plugin uses the plugin's name.
 */
export function provisionerOf({ metadata }: Volume): string | undefined {
  return metadata.annotations?.[migratedAnnotation] ?? metadata.annotations?.[provisionerAnnotation];
}

/** The CSI driver of a volume. Only CSI drivers support snapshots and clones. */
export function driverOf({ metadata, spec }: Volume): string | undefined {
  const driver = spec.csi?.driver;
  return typeof driver === 'string' ? driver : metadata.annotations?.[migratedAnnotation];
}

/**
 * The annotation of a populator on a volume, written by the library of the Kubernetes project: `<namespace>/<source>`.
 */
export function populatedFrom({ metadata }: Volume): string | undefined {
  return Object.entries(metadata.annotations ?? {}).find(([key]) => key.endsWith('/populated-from'))?.[1];
}

export function isChosen({ metadata }: Volume): boolean {
  return metadata.annotations?.[chosenAnnotation] !== undefined;
}

/** True if the volume controller wrote the name of the claim's volume, and not the user. */
export function isNameChosen({ metadata }: Claim): boolean {
  return metadata.annotations?.[chosenAnnotation] !== undefined;
}

/** The cluster stores whole seconds: of two objects of the same second, neither is later. */
export function isLater(one: Pick<Volume, 'metadata'>, other: Pick<Volume, 'metadata'>): boolean {
  return Date.parse(one.metadata.creationTimestamp ?? '') > Date.parse(other.metadata.creationTimestamp ?? '');
}

export function isSameSecond(one: Pick<Volume, 'metadata'>, other: Pick<Volume, 'metadata'>): boolean {
  const { creationTimestamp } = one.metadata;
  return creationTimestamp !== undefined && creationTimestamp === other.metadata.creationTimestamp;
}

/** The name that a provisioner gives the volume of a claim by default. */
export function provisionedNameOf({ metadata }: Claim): string {
  return `pvc-${metadata.uid}`;
}

/** Fewer digits of a uid may occur in the name of another claim's volume. */
const fewestDigits = 8;

/** Provisioners name a volume after its claim's uid: all of it, or the first digits if so configured. */
export function isNamedAfter(volume: Volume, claim: Claim): boolean {
  const { name } = volume.metadata;
  const { uid } = claim.metadata;
  if (!uid) return false;
  const digits = name.slice(name.lastIndexOf('-') + 1);
  return name.endsWith(`-${uid}`) || (digits.length >= fewestDigits && uid.replaceAll('-', '').startsWith(digits));
}
