import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { isMarkedKept, markKept } from '../kept-label.ts';
import { isOfSource, type TransferObstacle } from '../reasons.ts';
import type { TransferWorld } from '../world.ts';
import { note, patch } from '../writes.ts';
import { acceptanceObstacle, accepts } from './acceptance-checks.ts';
import {
  addFence,
  clearClaim,
  isOffered,
  isPending,
  markPending,
  markPendingFor,
  offerAnnotation,
  volumeFor,
} from './claim-marks.ts';
import { firstOf, setCondition, updateCondition } from './conditions.ts';
import { howToTakeBack } from './take-back.ts';
import type { Offer } from './volume-marks.ts';

/** Both sides see that the volume is safe; the rest is up to the owner of the source. */
export function awaitDeletion(
  world: TransferWorld,
  offer: Offer,
  source: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  if (!isOffered(source)) return patch('source', source, addFence(source));
  const name = displayName(offer.destination);
  const obstacle = acceptanceObstacle(world, offer, volume);
  if (!isPending(source)) {
    const yet = obstacle ? `. That is not possible yet: ${obstacle.message}` : '';
    const message = `volume ${volume.metadata.name} is safe: claim ${name} gets it when this claim is deleted by its owner. To keep this claim instead, remove the annotation ${offerAnnotation}${yet}`;
    return patch('source', source, markPending, { announce: [note(source, 'TransferPending', message)] });
  }
  const message = `volume ${volume.metadata.name} goes to claim ${name} when claim ${displayName(offer.source)} has been deleted by its owner`;
  const waiting = obstacle ?? waitFor('AwaitingDeletion', message);
  const candidates = [() => onTarget(world, offer, volume, waiting, now), () => onSource(world, waiting, now)];
  return firstOf(world, candidates) ?? waiting;
}

/** The owner has deleted the source, but no one can have its volume yet: the claim stays, and reports why. */
export function stay(
  world: TransferWorld,
  offer: Offer,
  claim: Claim,
  volume: Volume,
  obstacle: TransferObstacle,
  now: Date,
): Decision<TransferWorld> {
  const { source, destination } = offer;
  if (!isMarkedKept(volume, 'by-deleted-claim')) return patch('volume', volume, markKept('by-deleted-claim'));
  if (!isPending(claim)) return patch('source', claim, markPending);
  const message = `claim ${displayName(source)} is being deleted and stays until claim ${displayName(destination)} has volume ${volume.metadata.name}: ${obstacle.message}. ${howToTakeBack(source.namespace)}`;
  const held = {
    ...obstacle,
    reason: isOfSource(obstacle.reason) ? obstacle.reason : ('AwaitingAcceptance' as const),
    message,
  };
  const candidates = [
    () => onTarget(world, offer, volume, obstacle, now),
    () => setCondition(world, 'source', held, true, now),
  ];
  return firstOf(world, candidates) ?? held;
}

/** Reports to the owner who waits for the volume, and when no one does any more. */
function onSource(world: TransferWorld, waiting: TransferObstacle, now: Date): Decision<TransferWorld> | undefined {
  if (isOfSource(waiting.reason)) return setCondition(world, 'source', waiting, true, now);
  const shown = waiting.reason === 'AwaitingAcceptance' ? waiting : unfit(waiting);
  return updateCondition(world, shown, 'source', now);
}

/** The details are reported on the other claim. */
function unfit({ reason }: TransferObstacle): TransferObstacle {
  return waitFor('AwaitingAcceptance', `the claim that accepts the volume cannot have it yet (${reason})`);
}

/** The write that reports to the other side; undefined if that is up to date, or does not exist. */
function onTarget(
  world: TransferWorld,
  offer: Offer,
  volume: Volume,
  waiting: TransferObstacle,
  now: Date,
): Decision<TransferWorld> | undefined {
  const { target } = world;
  if (!target || waiting.reason === 'DestinationTaken') return undefined;
  if (!accepts(target, offer.source)) {
    const isMarked = isPending(target) && volumeFor(target) === volume.metadata.name && !isOffered(target);
    return isMarked ? patch('target', target, clearClaim(target)) : undefined;
  }
  if (waiting.reason !== 'AwaitingDeletion') return setCondition(world, 'target', waiting, true, now);
  if (isPending(target)) return updateCondition(world, waiting, 'target', now);
  const announce = [note(target, 'TransferPending', waiting.message)];
  return patch('target', target, markPendingFor(volume), { announce });
}
