import type { Uid } from '../../kubernetes/brands.ts';
import type { Claim, Namespace, Volume } from '../../kubernetes/objects.ts';
import { formatIdentity, type Identity, identityOf, parseIdentity } from '../../kubernetes/places.ts';
import { withMark, withoutMark } from './kept-label.ts';

/**
 * A volume whose claim was deleted while a transfer held it, and whose transfer was then withdrawn: it is neither given
 * away nor deleted, since the claim may have been deleted in reliance on the transfer. Its former owner and policy stay
 * on it, for the person who decides about it.
 */
export const statusAnnotation = 'pv.kubernetes.io/transfer-status';
export const ownerAnnotation = 'longshore.dev/transfer-offered-by';
export const policyAnnotation = 'longshore.dev/original-reclaim-policy';

/** The owner's namespace, by uid: a later namespace of the same name belongs to others. */
export const homeAnnotation = 'longshore.dev/transfer-source-namespace';

export interface Home {
  uid: Uid;
  madeAt: number;
}

type Annotations = Record<string, string | null>;

export function formatHome({ metadata }: Namespace): string {
  return `${metadata.uid}/${metadata.creationTimestamp}`;
}

export function parseHome(text: string | undefined): Home | undefined {
  const [uid, time] = text?.split('/') ?? [];
  const madeAt = Date.parse(time ?? '');
  return uid && !Number.isNaN(madeAt) ? { uid, madeAt } : undefined;
}

/** Keeps the volume of a claim that is being deleted. */
export function keepVolume(source: Claim, volume: Volume) {
  return keepFor(identityOf(source), policyOf(source, volume));
}

/** Keeps a volume for its former owner, whose claim may be gone by now. */
export function keepFor(owner: Identity, originalPolicy: string) {
  const annotations: Annotations = {
    [statusAnnotation]: 'withdrawn',
    [ownerAnnotation]: formatIdentity(owner),
    [policyAnnotation]: originalPolicy,
  };
  const body = { metadata: { annotations }, spec: { persistentVolumeReclaimPolicy: 'Retain' as const } };
  return withMark('without-claim', body);
}

/** The owner of a kept volume, and the namespace of its claim, if recorded. */
export function keptOn({ metadata: { annotations = {} } }: Volume): { owner: Identity; home: Home } | undefined {
  if (annotations[statusAnnotation] !== 'withdrawn') return undefined;
  const [owner, home] = [parseIdentity(annotations[ownerAnnotation]), parseHome(annotations[homeAnnotation])];
  return owner && home ? { owner, home } : undefined;
}

/** Gives a volume back to a claim that is not deleted, with its former policy. */
export function giveBack(source: Claim, volume: Volume) {
  const annotations: Annotations = {
    ...noLongerKept(source, volume),
    [homeAnnotation]: null,
    [policyAnnotation]: null,
  };
  return withoutMark(volume, {
    metadata: { annotations },
    spec: { persistentVolumeReclaimPolicy: policyOf(source, volume) },
  });
}

export function isKeptFor(source: Claim, volume: Volume): boolean {
  const { annotations = {} } = volume.metadata;
  const isOurs = parseIdentity(annotations[ownerAnnotation])?.uid === source.metadata.uid;
  return annotations[statusAnnotation] === 'withdrawn' && isOurs;
}

/** The volume's own policy: on a kept volume, we have set Retain. */
export function policyOf(source: Claim, volume: Volume): string {
  const noted = isKeptFor(source, volume) ? volume.metadata.annotations?.[policyAnnotation] : undefined;
  return noted ?? volume.spec.persistentVolumeReclaimPolicy ?? 'Retain';
}

/** The marks to remove from a volume that is transferred after all. */
export function noLongerKept(source: Claim, volume: Volume): Annotations {
  return isKeptFor(source, volume) ? { [statusAnnotation]: null, [ownerAnnotation]: null } : {};
}
