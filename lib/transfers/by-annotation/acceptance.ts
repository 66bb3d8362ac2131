import type { Claim, Volume } from '../../cluster/objects.ts';
import { type Place, placeOf, samePlace } from '../../cluster/places.ts';
import { amountOf } from '../../cluster/quantity.ts';
import { displayName } from '../../cluster/resources.ts';
import { type Problem, reject, waitFor } from '../source-checks.ts';
import { acceptAnnotation, acceptedFrom, offeredTo } from './claim-marks.ts';

/** Whether the owner of the target has said that they want this source's volume. */
export function accepts(target: Claim | undefined, source: Place): target is Claim {
  const wish = acceptedFrom(target);
  return wish !== undefined && 'place' in wish && samePlace(wish.place, source);
}

/** Whether the owner of the source has said that this target is to have its volume. */
export function offers(source: Claim | undefined, target: Place): source is Claim {
  const wish = offeredTo(source);
  return wish !== undefined && 'place' in wish && samePlace(wish.place, target);
}

/** What keeps the destination from having the volume, as long as it has not. */
export function acceptanceProblem(
  target: Claim | undefined,
  source: Place,
  destination: Place,
  volume: Volume,
): Problem | undefined {
  const name = displayName(destination);
  if (!accepts(target, source) || !samePlace(placeOf(target), destination)) {
    const message = `no claim ${name} accepts the volume: its owner creates it with the annotation ${acceptAnnotation}: ${displayName(source)}`;
    return waitFor('AwaitingAcceptance', message);
  }
  if (target.metadata.deletionTimestamp) return waitFor('TargetDeleting', `claim ${name} is being deleted`);
  const { volumeName } = target.spec;
  if (volumeName && volumeName !== volume.metadata.name) {
    const message = `claim ${name} has volume ${volumeName} already: delete it and create it again; with the admission policies of manifests/admission it then waits for this one`;
    return reject('TargetBound', message);
  }
  const found = mismatches(target, volume);
  if (found.length === 0) return undefined;
  const message = `claim ${name} does not fit volume ${volume.metadata.name}: ${found.join('; ')}; delete it and create one that fits`;
  return reject('TargetDiffers', message);
}

/** Where a claim asks for something else than the volume is, the volume controller would never bind the two. */
function mismatches({ spec }: Claim, { spec: volume }: Volume): string[] {
  const modes = volume.accessModes ?? [];
  const strange = (spec.accessModes ?? []).filter((mode) => !modes.includes(mode));
  const wanted = spec.resources?.requests?.storage;
  const capacity = volume.capacity?.storage;
  const isTooSmall = (amountOf(wanted) ?? 0) > (amountOf(capacity) ?? 0);
  return [
    differs('storageClassName', spec.storageClassName ?? '', volume.storageClassName ?? ''),
    differs('volumeMode', spec.volumeMode ?? 'Filesystem', volume.volumeMode ?? 'Filesystem'),
    differs('volumeAttributesClassName', spec.volumeAttributesClassName ?? '', volume.volumeAttributesClassName ?? ''),
    strange.length > 0 ? `accessModes has ${strange.join(', ')}, the volume has ${modes.join(', ')}` : undefined,
    isTooSmall ? `it asks for ${wanted}, the volume has ${capacity}` : undefined,
  ].filter((each) => each !== undefined);
}

function differs(field: string, ofClaim: string, ofVolume: string): string | undefined {
  if (ofClaim === ofVolume) return undefined;
  return `${field} is ${JSON.stringify(ofClaim)}, the volume's is ${JSON.stringify(ofVolume)}`;
}

/** Says the same whether the source is not there or offered to somebody else: that is its owner's business. */
export function notOffered(target: Claim, source: Place): Problem {
  const message = `claim ${displayName(source)} is not offered to this one: its owner gives it the annotation transferRequest: ${displayName(placeOf(target))}`;
  return waitFor('NotOffered', message);
}
