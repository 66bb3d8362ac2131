import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { formatIdentity, identityOf } from '../../kubernetes/places.ts';
import type { Key } from '../../kubernetes/resources.ts';
import { claimAnnotation, isCopyName, snapshotAnnotation } from './names.ts';
import { isChosen, provisionerAnnotation } from './origin.ts';

/**
 * The marks on a volume from the moment at which it belongs to a populated claim: the claim, and the snapshot. Users
 * cannot write to volumes, so these marks prove that the data is there.
 */
export function markFor(claim: Claim, snapshot: string): Record<string, string> {
  return { [claimAnnotation]: formatIdentity(identityOf(claim)), [snapshotAnnotation]: snapshot };
}

/** On a volume that no claim may get any more: its reclaim policy has been changed, and it is being deleted. */
const abandonedAnnotation = 'longshore.dev/let-go';
export const markAbandoned: Record<string, string> = { [abandonedAnnotation]: 'yes' };

export function isAbandoned({ metadata }: Volume): boolean {
  return metadata.annotations?.[abandonedAnnotation] !== undefined;
}

/** True if the volume was made for the claim and handed over to it. */
export function isHandedTo(claim: Claim, volume: Volume): boolean {
  return isMarkedFor(claim, volume) && volume.spec.claimRef?.uid === claim.metadata.uid;
}

/**
 * True if it was handed over to the claim while that was bound to another volume: then it stays reserved for the
 * claim's name.
 */
export function isHandedInVain(claim: Claim, volume: Volume): boolean {
  const isElsewhere = Boolean(claim.spec.volumeName) && claim.spec.volumeName !== volume.metadata.name;
  return isElsewhere && isMarkedFor(claim, volume) && (isReserved(volume) || isUnreserved(volume));
}

function isMarkedFor(claim: Claim, { metadata }: Volume): boolean {
  return metadata.annotations?.[claimAnnotation] === formatIdentity(identityOf(claim));
}

export function snapshotOn({ metadata }: Volume): string {
  return metadata.annotations?.[snapshotAnnotation] ?? '';
}

/**
 * True if a provisioner made the volume for its claim. Existing volumes that the volume controller chose carry its
 * mark, and hold other data.
 */
export function isProvisioned(volume: Volume): boolean {
  return volume.metadata.annotations?.[provisionerAnnotation] !== undefined && !isChosen(volume);
}

/** The key of the copies that a volume was made for, from the prime claim that it names. */
export function copyKeyOf({ spec }: Volume): Key | undefined {
  const { namespace = '', name = '' } = spec.claimRef ?? {};
  return isCopyName({ namespace, name }) ? { namespace, name } : undefined;
}

/** A uid that no claim has. */
export const uidOfNoClaim = '00000000-0000-0000-0000-000000000000';

/** It was reserved for a name and has been released. The report comes after that. */
function isUnreserved({ spec }: Volume): boolean {
  return spec.claimRef?.uid === uidOfNoClaim;
}

/** True if the volume controller reserves it for the next claim of that name. */
export function isReserved({ spec, status }: Volume): boolean {
  return status?.phase === 'Available' && spec.claimRef?.name !== undefined && !spec.claimRef.uid;
}
