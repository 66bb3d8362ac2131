import type { Claim, Volume } from '../cluster/objects.ts';
import { formatIdentity, identityOf, parseIdentity } from '../cluster/places.ts';

/**
 * A volume whose claim was deleted while a transfer held it, and whose transfer was then withdrawn: nobody gets it, and
 * nobody destroys it, since whoever deleted the claim may have relied on the transfer. Whose it was and which policy it
 * had stays on it, for whoever decides about it.
 */
export const statusAnnotation = 'pv.kubernetes.io/transfer-status';
export const ownerAnnotation = 'longshore.dev/transfer-offered-by';
export const policyAnnotation = 'longshore.dev/original-reclaim-policy';

type Annotations = Record<string, string | null>;

/** Keeps the volume of a claim that goes. */
export function keepVolume(source: Claim, volume: Volume) {
  const annotations: Annotations = {
    [statusAnnotation]: 'withdrawn',
    [ownerAnnotation]: formatIdentity(identityOf(source)),
    [policyAnnotation]: policyOf(source, volume),
  };
  return { metadata: { annotations }, spec: { persistentVolumeReclaimPolicy: 'Retain' as const } };
}

export function isKeptFor(source: Claim, volume: Volume): boolean {
  const { annotations = {} } = volume.metadata;
  const isOurs = parseIdentity(annotations[ownerAnnotation])?.uid === source.metadata.uid;
  return annotations[statusAnnotation] === 'withdrawn' && isOurs;
}

/** The policy that is the volume's own: one that is kept is retained by us. */
export function policyOf(source: Claim, volume: Volume): string {
  const noted = isKeptFor(source, volume) ? volume.metadata.annotations?.[policyAnnotation] : undefined;
  return noted ?? volume.spec.persistentVolumeReclaimPolicy ?? 'Retain';
}

/** What goes from a volume that is transferred after all. */
export function noLongerKept(source: Claim, volume: Volume): Annotations {
  return isKeptFor(source, volume) ? { [statusAnnotation]: null, [ownerAnnotation]: null } : {};
}
