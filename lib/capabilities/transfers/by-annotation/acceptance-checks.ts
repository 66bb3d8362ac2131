import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { type Place, placeOf, samePlace } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { TransferObstacle, TransferReason } from '../reasons.ts';
import { requiredRequest } from '../required-request.ts';
import type { TransferWorld } from '../world.ts';
import { acceptAnnotation, acceptedFrom, isComplete, offerAnnotation, offeredTo } from './claim-marks.ts';
import { acceptorObstacle, destinationObstacle } from './namespace-obstacles.ts';
import { mismatches, smallerRequest } from './target-fit.ts';
import type { Offer } from './volume-marks.ts';

/** True if the owner of the target accepts this source's volume. */
export function accepts(target: Claim | undefined, source: Place): target is Claim {
  const accepted = acceptedFrom(target);
  return accepted !== undefined && 'place' in accepted && samePlace(accepted.place, source);
}

/** True if the owner of the source offers its volume to this target. */
export function offers(source: Claim | undefined, target: Place): source is Claim {
  const offered = offeredTo(source);
  return offered !== undefined && 'place' in offered && samePlace(offered.place, target);
}

/** The reason why the destination cannot have the volume yet. */
export function acceptanceObstacle(world: TransferWorld, offer: Offer, volume: Volume): TransferObstacle | undefined {
  const { target, settings } = world;
  const { source, destination } = offer;
  const elsewhere = destinationObstacle(world, offer);
  if (elsewhere) return elsewhere;
  if (!accepts(target, source) || !samePlace(placeOf(target), destination)) return unaccepted(source, destination);
  if (target.metadata.deletionTimestamp) {
    return waitFor('TargetDeleting', `claim ${displayName(destination)} is being deleted`);
  }
  if (hasOther(target, volume)) return taken(target, source);
  const earlier = acceptorObstacle(target, offer, world.sourceNamespace);
  if (earlier) return earlier;
  const size = requiredRequest(volume, world.source?.metadata.uid === source.uid ? world.source : undefined);
  const unfit = mismatches(target, volume, size);
  if (unfit.length > 0) return misfit('TargetDiffers', target, volume, unfit);
  const smaller = settings?.smallerRequests.isOn ? undefined : smallerRequest(target, volume, size);
  return smaller ? misfit('RequestTooSmall', target, volume, [smaller]) : undefined;
}

/** The reader may have mistyped the name of the claim; nothing has been given away yet. */
function unaccepted(source: Place, destination: Place): TransferObstacle {
  const name = displayName(destination);
  const message = `no claim ${name} accepts the volume yet. Its owner must create it with the annotation ${acceptAnnotation}: ${displayName(source)}. If another claim is meant, name that one in the annotation ${offerAnnotation}`;
  return waitFor('AwaitingAcceptance', message);
}

/** True if an accepting claim already has a volume, the accepted one or another: it keeps that one. */
export function isFinished(target: Claim, volume: Volume): boolean {
  return isComplete(target) && target.spec.volumeName !== volume.metadata.name;
}

function hasOther(target: Claim, volume: Volume): boolean {
  const { volumeName } = target.spec;
  return isFinished(target, volume) || (Boolean(volumeName) && volumeName !== volume.metadata.name);
}

/** Neither side is advised to give up the claim that has a volume: it may hold data. */
function taken(target: Claim, source: Place): TransferObstacle {
  const name = displayName(placeOf(target));
  const { volumeName } = target.spec;
  if (isComplete(target)) {
    const what = volumeName ? `volume ${volumeName}` : 'its volume';
    const message = `claim ${name} already has ${what} from an earlier transfer and keeps it. To give away this volume too, name another claim in the annotation ${offerAnnotation}`;
    return reject('DestinationTaken', message);
  }
  const message = `claim ${name} already has volume ${volumeName} and keeps it. To accept the volume of claim ${displayName(source)}, create a claim with another name and the annotation ${acceptAnnotation}: ${displayName(source)}. The owner of that claim must then name yours in the annotation ${offerAnnotation}`;
  return reject('TargetBound', message);
}

/** Such a claim has no volume, so nothing is lost with it; by the time its owner reads this it may have one. */
function misfit(reason: TransferReason, target: Claim, volume: Volume, found: string[]): TransferObstacle {
  const name = displayName(placeOf(target));
  const message = `claim ${name} does not fit volume ${volume.metadata.name}: ${found.join('; ')}; if it is not bound, delete it and create one that fits`;
  return reject(reason, message);
}

/** The same message whether the source is missing or offered to another claim: that is its owner's business. */
export function notOffered(target: Claim, source: Place): TransferObstacle {
  const message = `claim ${displayName(source)} is not offered to this one. Its owner can offer it with the annotation ${offerAnnotation}: ${displayName(placeOf(target))}`;
  return waitFor('NotOffered', message);
}
