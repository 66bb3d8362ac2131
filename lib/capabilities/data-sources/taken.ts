import type { ReclaimPolicy, Volume } from '../../kubernetes/objects.ts';
import { offerOn } from '../transfers/by-annotation/volume-marks.ts';
import { recordOf, undoingOf } from '../transfers/by-request/volume-marks.ts';
import { statusAnnotation } from '../transfers/kept-volume.ts';

/**
 * On a volume that was free when the volume controller bound a prime claim to it: that prime claim's name and the
 * policy to restore on the volume, as `<name>/<policy>`.
 */
const takenAnnotation = 'longshore.dev/taken-in-error';

export interface Taken {
  by: string;
  policy: ReclaimPolicy;
}

export function markTaken({ by, policy }: Taken): Record<string, string> {
  return { [takenAnnotation]: `${by}/${policy}` };
}

export const noLongerTaken: Record<string, null> = { [takenAnnotation]: null };

export function takenOn({ metadata }: Volume): Taken | undefined {
  const [by, policy] = metadata.annotations?.[takenAnnotation]?.split('/') ?? [];
  return by && policy ? { by, policy: policy as ReclaimPolicy } : undefined;
}

/**
 * True if its policy is to be restored. Not while the cluster counts it as Released, as a provisioner deletes such a
 * volume with the policy Delete whatever claim it is for; and not while a transfer relies on it being retained.
 */
export function awaitsPolicy(volume: Volume): boolean {
  const isGiven = ['Available', 'Bound'].includes(volume.status?.phase ?? '');
  return takenOn(volume) !== undefined && isGiven && !isTransferring(volume);
}

function isTransferring(volume: Volume): boolean {
  const isKept = volume.metadata.annotations?.[statusAnnotation] === 'withdrawn';
  return isKept || [recordOf(volume), undoingOf(volume), offerOn(volume)].some((mark) => mark !== undefined);
}
