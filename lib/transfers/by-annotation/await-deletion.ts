import type { Claim, Volume } from '../../cluster/objects.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { asDecision, type Problem, waitFor } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { note, patch } from '../writes.ts';
import { acceptanceProblem, accepts } from './acceptance.ts';
import { clearClaim, isOffered, isPending, markPending, markPendingFor, raiseFence, volumeFor } from './claim-marks.ts';
import { blocked, retell } from './tell.ts';
import type { Offer } from './volume-marks.ts';

/** Both sides see that the volume is safe; the rest is up to the owner of the source. */
export function awaitDeletion(world: TransferWorld, offer: Offer, source: Claim, volume: Volume, now: Date): Decision {
  if (!isOffered(source)) return patch('source', source, raiseFence(source));
  const name = displayName(offer.destination);
  if (!isPending(source)) {
    const message = `volume ${volume.metadata.name} is safe: delete this claim to give it to claim ${name}, or take the annotation transferRequest off to keep it`;
    return patch('source', source, markPending, { announce: [note(source, 'TransferPending', message)] });
  }
  const message = `volume ${volume.metadata.name} goes to claim ${name} when claim ${displayName(offer.source)} has been deleted by its owner`;
  const waiting = waitFor('AwaitingDeletion', message);
  return onTarget(world, offer, volume, waiting, now) ?? retell(world, waiting, 'source', now) ?? asDecision(waiting);
}

/** What the other side is to see meanwhile. Undefined when it sees that already, or is not there. */
function onTarget(
  world: TransferWorld,
  offer: Offer,
  volume: Volume,
  waiting: Problem,
  now: Date,
): Decision | undefined {
  const { target } = world;
  if (!target) return undefined;
  if (!accepts(target, offer.source)) {
    const isMarked = isPending(target) && volumeFor(target) === volume.metadata.name && !isOffered(target);
    return isMarked ? patch('target', target, clearClaim(target)) : undefined;
  }
  const problem = acceptanceProblem(target, offer.source, offer.destination, volume);
  if (problem) return blocked(world, problem, ['target'], now);
  if (isPending(target)) return retell(world, waiting, 'target', now);
  const announce = [note(target, 'TransferPending', waiting.message)];
  return patch('target', target, markPendingFor(volume), { announce });
}
