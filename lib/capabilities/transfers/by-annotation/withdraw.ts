import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { type Place, placeOf, samePlace } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { isMarkedKept, markKept, withoutMark } from '../kept-label.ts';
import { volumeObstacle } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { note, patch, warn } from '../writes.ts';
import { accepts, notOffered } from './acceptance-checks.ts';
import { clearClaim, isOffered, isPending, volumeFor } from './claim-marks.ts';
import { firstOf, setCondition } from './conditions.ts';
import { howToTakeBack } from './take-back.ts';
import { mean, type Offer, redirect, withdrawLate, withdrawOffer } from './volume-marks.ts';

/** True if the namespace of the source is being deleted, or is gone: nothing in it can stay. */
export function isGoing({ sourceNamespace }: TransferWorld): boolean {
  return sourceNamespace === undefined || sourceNamespace.metadata.deletionTimestamp !== undefined;
}

/** The owner has named another destination. */
export function redirectTo(
  world: TransferWorld,
  destination: Place,
  source: Claim,
  offer: Offer,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  const isRefused = volumeObstacle(source, volume, destination.namespace)?.do === 'reject';
  const isItself = samePlace(destination, offer.source);
  if (isRefused || isItself) return withdraw(world, source, offer, volume, now);
  return patch('volume', volume, redirect(destination));
}

/** The owner no longer offers the claim. */
export function withdraw(
  world: TransferWorld,
  source: Claim,
  offer: Offer,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  if (!source.metadata.deletionTimestamp) {
    const message = `is no longer offered to claim ${displayName(offer.destination)}`;
    return patch('volume', volume, withoutMark(volume, withdrawOffer(offer, source)), {
      announce: [note(volume, 'TransferWithdrawn', message)],
    });
  }
  if (!isGoing(world)) return hold(world, offer, volume, now);
  // The owner who withdraws an offer after deleting the claim may want the data: with its own policy it would be lost.
  const message = `claim ${displayName(placeOf(source))} was deleted, and then its offer was withdrawn. Volume ${volume.metadata.name} is kept (its reclaim policy was ${offer.originalPolicy}) until an administrator decides what to do with it`;
  const announce = [volume, source].map((regarding) => warn(regarding, 'TransferWithdrawn', message));
  return patch('volume', volume, withdrawLate(source, volume, offer), { announce });
}

/**
 * It is unknown if the data is still needed. The claim cannot be restored, but as long as it stays nothing is lost, a
 * quota counts it, and its owner can still offer it, also to a claim of their own.
 */
function hold(world: TransferWorld, offer: Offer, volume: Volume, now: Date): Decision<TransferWorld> {
  // The next claim to which it is offered is a different one, even under the same name.
  if (offer.destinationNamespace) return patch('volume', volume, mean(undefined));
  if (!isMarkedKept(volume, 'by-deleted-claim')) return patch('volume', volume, markKept('by-deleted-claim'));
  const message = `claim ${displayName(offer.source)} is being deleted and is no longer offered. It stays with volume ${volume.metadata.name}, and nothing is lost. ${howToTakeBack(offer.source.namespace)}`;
  const withdrawn = reject('TransferWithdrawn', message);
  const candidates = [
    () => reportToAcceptor(world, offer, volume, now),
    () => setCondition(world, 'source', withdrawn, true, now),
  ];
  return firstOf(world, candidates) ?? withdrawn;
}

/** The accepting claim is no longer offered the volume. */
function reportToAcceptor(
  world: TransferWorld,
  { source }: Offer,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> | undefined {
  const { target } = world;
  if (!target || !accepts(target, source)) return undefined;
  const isMarked = isPending(target) && volumeFor(target) === volume.metadata.name && !isOffered(target);
  if (isMarked) return patch('target', target, clearClaim(target));
  return setCondition(world, 'target', notOffered(target, source), false, now);
}
