import type { Claim, Volume } from '../../kubernetes/objects.ts';
import { formatIdentity, identityOf } from '../../kubernetes/places.ts';
import type { Key } from '../../kubernetes/resources.ts';
import { claimAnnotation, isCopyName, snapshotAnnotation } from './names.ts';
import { isChosen, provisionerAnnotation } from './origin.ts';

/**
 * What a volume carries from the moment on in which it is a populated claim's: whose, and of which snapshot. Users cannot
 * write on volumes, so this is what tells that the data is there.
 */
export function markFor(claim: Claim, snapshot: string): Record<string, string> {
  return { [claimAnnotation]: formatIdentity(identityOf(claim)), [snapshotAnnotation]: snapshot };
}

/** On a volume that nobody is to get any more: it has lost the policy of its class, and goes. */
const abandonedAnnotation = 'longshore.dev/let-go';
export const markAbandoned: Record<string, string> = { [abandonedAnnotation]: 'yes' };

export function isAbandoned({ metadata }: Volume): boolean {
  return metadata.annotations?.[abandonedAnnotation] !== undefined;
}

/** Whether the volume was made for the claim, and given to it. */
export function isHandedTo(claim: Claim, volume: Volume): boolean {
  return isMarkedFor(claim, volume) && volume.spec.claimRef?.uid === claim.metadata.uid;
}

/** Whether it was given to the claim, while that was bound to another one: then it is kept for the claim's name. */
export function isHandedInVain(claim: Claim, volume: Volume): boolean {
  const isElsewhere = Boolean(claim.spec.volumeName) && claim.spec.volumeName !== volume.metadata.name;
  return isElsewhere && isMarkedFor(claim, volume) && (isReserved(volume) || isNobodys(volume));
}

function isMarkedFor(claim: Claim, { metadata }: Volume): boolean {
  return metadata.annotations?.[claimAnnotation] === formatIdentity(identityOf(claim));
}

export function snapshotOn({ metadata }: Volume): string {
  return metadata.annotations?.[snapshotAnnotation] ?? '';
}

/**
 * Whether a provisioner has made the volume for the claim that it was made for. What the volume controller has chosen from
 * those that lay about carries its mark, and holds something else.
 */
export function isProvisioned(volume: Volume): boolean {
  return volume.metadata.annotations?.[provisionerAnnotation] !== undefined && !isChosen(volume);
}

/** The key of the copies that a volume was made for, by the prime claim that it names. */
export function copyKeyOf({ spec }: Volume): Key | undefined {
  const { namespace = '', name = '' } = spec.claimRef ?? {};
  return isCopyName({ namespace, name }) ? { namespace, name } : undefined;
}

/** The uid of no claim. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** It was reserved for a name, and has been let go of: what is still to be said of it is said after that. */
function isNobodys({ spec }: Volume): boolean {
  return spec.claimRef?.uid === nobody;
}

/** Whether the volume controller keeps it for whichever claim has that name next. */
export function isReserved({ spec, status }: Volume): boolean {
  return status?.phase === 'Available' && spec.claimRef?.name !== undefined && !spec.claimRef.uid;
}
