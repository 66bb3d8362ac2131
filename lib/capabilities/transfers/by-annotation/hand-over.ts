import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { samePlace } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject, waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { taken } from '../claim-ref.ts';
import { isMarkedKept, markKept } from '../kept-label.ts';
import { durationSince, measured } from '../measurements.ts';
import { mountingPods } from '../read.ts';
import type { TransferWorld } from '../world.ts';
import { note, patch } from '../writes.ts';
import { acceptanceObstacle } from './acceptance-checks.ts';
import { clearClaim, hasReceived, isComplete, isHeld, markComplete, receive, releaseClaim } from './claim-marks.ts';
import { blocked, participants, setConditionTrue } from './conditions.ts';
import { give } from './give.ts';
import { holdersObstacle, inUse, remaining } from './keep.ts';
import { switchedOff } from './offer-checks.ts';
import { markTransferred, type Offer } from './volume-marks.ts';

/** After the owner's release of the source: the volume goes to the claim that accepts it. */
export function handOver(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision<TransferWorld> {
  const { target } = world;
  const source = remaining(world, offer);
  const isMoved = target && volume.spec.claimRef?.uid === target.metadata.uid;
  if (isMoved) return arrive(world, offer, source, target, volume, now);
  if (source) return release(world, offer, source, volume, now);
  // The checks of our own release were not made if an administrator has decided, or if the claim disappeared unseen.
  const wasUnseen = offer.isStopped || samePlace(offer.source, offer.destination);
  const mounting = wasUnseen ? mountingPods(world, offer.source.uid) : [];
  if (mounting.length > 0) return blocked(world, inUse(offer, mounting), participants(world), now);
  const obstacle = switchedOff(world) ?? acceptanceObstacle(world, offer, volume);
  if (!obstacle && target) return give(world, offer, volume, target, now);
  if (!isMarkedKept(volume, 'without-claim')) return patch('volume', volume, markKept('without-claim'));
  const message = `no claim accepts volume ${volume.metadata.name}`;
  return blocked(world, obstacle ?? waitFor('AwaitingAcceptance', message), participants(world), now);
}

/** The volume is recorded as given away, and the source only has to be removed. */
function release(
  world: TransferWorld,
  offer: Offer,
  source: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  if (!source.metadata.deletionTimestamp) {
    // Only an administrator can have caused this, by writing to the volume.
    const isTaken = volume.spec.claimRef?.uid !== offer.source.uid;
    const message = `volume ${volume.metadata.name} moves when claim ${displayName(offer.source)} has been deleted`;
    return blocked(world, isTaken ? taken(volume) : waitFor('AwaitingDeletion', message), participants(world), now);
  }
  return holdersObstacle(world, offer, source, now) ?? patch('source', source, clearClaim(source));
}

/** The volume belongs to the target: bind the two, and clean up. */
function arrive(
  world: TransferWorld,
  offer: Offer,
  source: Claim | undefined,
  target: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  if (source && isHeld(source)) return patch('source', source, releaseClaim(source));
  if (target.spec.volumeName && target.spec.volumeName !== volume.metadata.name) {
    return strayed(world, target, volume, now);
  }
  if (!hasReceived(target, volume, offer.source)) return patch('target', target, receive(volume, offer.source));
  if (target.status?.phase !== 'Bound' || volume.status?.phase !== 'Bound') {
    return waitFor('TargetNotBound', 'the volume controller binds the target claim');
  }
  const message = `has volume ${volume.metadata.name} of claim ${displayName(offer.source)}`;
  if (!isComplete(target)) {
    return patch('target', target, markComplete, { announce: [note(target, 'TransferComplete', message)] });
  }
  return setConditionTrue(target, 'Complete', message, now) ?? finish(offer, target, volume, now);
}

function finish(offer: Offer, target: Claim, volume: Volume, now: Date): Decision<TransferWorld> {
  const message = `has been transferred from claim ${displayName(offer.source)} to ${displayName(offer.destination)}`;
  return patch('volume', volume, markTransferred(offer, volume), {
    announce: [note(volume, 'TransferComplete', message)],
    measure: [
      measured('TransfersCompleted', 'ByAnnotation'),
      durationSince(now, 'ByAnnotation', [offer.releasedAt, target]),
    ],
  });
}

/** The target got another volume at the moment of the move: both stay as they are, and both keep their data. */
function strayed(world: TransferWorld, target: Claim, volume: Volume, now: Date): Decision<TransferWorld> {
  const message = `this claim got volume ${target.spec.volumeName} at the moment when volume ${volume.metadata.name} was given to it, and keeps that one. Volume ${volume.metadata.name} is kept on Retain until an administrator decides what to do with it (longshore explain TargetBound says how). The admission policies in manifests/admission prevent this`;
  return blocked(world, reject('TargetBound', message), ['target'], now);
}
