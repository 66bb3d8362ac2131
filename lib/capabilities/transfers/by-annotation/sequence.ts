import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { placeOf, samePlace } from '../../../kubernetes/places.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { undoingOf } from '../by-request/volume-marks.ts';
import { holds } from '../read.ts';
import type { TransferWorld } from '../world.ts';
import { isHeldUp, patch } from '../writes.ts';
import { notOffered } from './acceptance-checks.ts';
import { begin, forget } from './begin.ts';
import {
  acceptAnnotation,
  acceptedFrom,
  clearClaim,
  hasArrived,
  isComplete,
  isOffered,
  isPending,
} from './claim-marks.ts';
import { blocked, clearCondition, participants } from './conditions.ts';
import { handOver } from './hand-over.ts';
import { keep, remaining } from './keep.ts';
import { malformed, switchedOff } from './offer-checks.ts';
import { type Offer, offerOn, unfencingOn } from './volume-marks.ts';
import { isGoing } from './withdraw.ts';

/** The next step of a transfer by annotation, from all that is known: the volume takes precedence over the claims. */
export function proceed(world: TransferWorld, now: Date): Decision<TransferWorld> {
  const { source, target, volume, refused } = world;
  const offer = offerOn(volume);
  // An offer that a request leaves behind counts once its transfer has been rolled back.
  if (offer && undoingOf(volume)) return waitFor('RollingBack', 'a transfer by request is being rolled back');
  // The other side's refusals and constant changes must not hold up a namespace that is being deleted.
  if (volume && offer && isHeldUp(world, 'target') && mustGo(world, offer, volume)) {
    return stepOf({ ...world, target: undefined, refused: undefined }, offer, volume, now);
  }
  if (refused) return refusedStep(world, now);
  if (volume && offer) return stepOf(world, offer, volume, now);
  // After the end, the source's name belongs to another claim.
  if (source && (!volume || source.spec.volumeName === volume.metadata.name)) return begin(world, source, now);
  const leftOver = forget(world, source);
  if (leftOver) return leftOver;
  return target ? awaitOffer(world, target, now) : { do: 'done', reason: 'NoTransfer' };
}

function stepOf(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision<TransferWorld> {
  // Also if it was read for another purpose, before the offer was made: then not everything that it concerns has been
  // read.
  const isElsewhere = !world.destination || !samePlace(world.destination, offer.destination);
  if (isElsewhere) return { do: 'reread', reason: 'DestinationChanged' };
  const isOver = offer.releasedAt !== undefined || volume.spec.claimRef?.uid !== offer.source.uid;
  return isOver ? handOver(world, offer, volume, now) : keep(world, offer, volume, now);
}

/**
 * True for a claim of a namespace that is being deleted, which is released as if its volume had not been accepted yet.
 */
function mustGo(world: TransferWorld, offer: Offer, { spec }: Volume): boolean {
  const source = remaining(world, offer);
  const isMoved = spec.claimRef?.uid === world.target?.metadata.uid;
  return source?.metadata.deletionTimestamp !== undefined && isGoing(world) && !isMoved;
}

function refusedStep(world: TransferWorld, now: Date): Decision<TransferWorld> {
  const { refused } = world;
  const obstacle = reject('WriteRefused', `the ${refused?.slot} cannot be changed: ${refused?.message}`);
  return blocked(world, obstacle, participants(world), now);
}

/**
 * True if a volume's marks are those of a transfer by annotation. The two kinds exclude each other, by their fences.
 */
export function isByAnnotation({ source, volume }: TransferWorld): boolean {
  if (offerOn(volume) || unfencingOn(volume)) return true;
  return holds(source, volume) && isOffered(source);
}

/** A claim that accepts a volume that it is not offered. */
function awaitOffer(world: TransferWorld, target: Claim, now: Date): Decision<TransferWorld> {
  if (isComplete(target)) return { do: 'done', reason: 'Complete' };
  const accepted = acceptedFrom(target);
  const hasVolume = accepted && 'place' in accepted && hasArrived(target, accepted.place);
  if (hasVolume && !isPending(target)) return { do: 'done', reason: 'Complete' };
  if (isPending(target)) return patch('target', target, clearClaim(target));
  if (!accepted) return clearCondition('target', target, now) ?? { do: 'done', reason: 'NoTransfer' };
  if ('malformed' in accepted) return blocked(world, malformed(acceptAnnotation, accepted.malformed), ['target'], now);
  if (samePlace(accepted.place, placeOf(target))) {
    return blocked(world, reject('Invalid', 'a claim cannot accept its own volume'), ['target'], now);
  }
  return blocked(world, switchedOff(world) ?? notOffered(target, accepted.place), ['target'], now);
}
