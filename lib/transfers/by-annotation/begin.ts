import type { Claim } from '../../cluster/objects.ts';
import { displayName } from '../../cluster/resources.ts';
import type { Decision } from '../../reconcile/step.ts';
import { measured } from '../measurements.ts';
import { type Place, placeOf } from '../places.ts';
import { type Problem, waitFor } from '../source-checks.ts';
import { holds, type TransferWorld } from '../world.ts';
import { confirm, note, patch } from '../writes.ts';
import { accepts } from './acceptance.ts';
import { clearClaim, isOffered, isPending, offerAnnotation, offeredTo, raiseFence, writeOffer } from './marks.ts';
import { malformed, offerProblem } from './offer-checks.ts';
import { blocked, silence } from './tell.ts';

/** A claim whose volume has no record of an offer: makes it safe if its owner offers it, and else tidies up. */
export function begin(world: TransferWorld, source: Claim, now: Date): Decision {
  const wish = offeredTo(source);
  if (!wish) return tidy(source);
  if ('malformed' in wish) return giveUp(world, source, malformed(offerAnnotation, wish.malformed), now);
  const problem = offerProblem(world, source, wish.place);
  if (problem || !world.volume) return giveUp(world, source, problem ?? waitFor('VolumeMissing', 'no volume'), now);
  // The fence goes first: from then on the claim cannot vanish unseen, whatever its owner does.
  if (!isOffered(source)) return patch('source', source, raiseFence(source));
  // A worker that was delayed must not secure a volume whose offer has been taken back since it read the claim.
  return confirm(world, 'source', source) ?? secure(source, wish.place, world.volume);
}

function secure(source: Claim, destination: Place, volume: NonNullable<TransferWorld['volume']>): Decision {
  const message = `is retained for claim ${displayName(destination)}, to which claim ${displayName(placeOf(source))} is offered`;
  return patch('volume', volume, writeOffer(source, destination, volume), {
    announce: [note(volume, 'TransferPending', message)],
    measure: [measured('TransfersStarted', 'ByAnnotation')],
  });
}

/** Nobody offers the claim, or nobody does any more. */
function tidy(source: Claim): Decision {
  if (isOffered(source) || isPending(source)) return patch('source', source, clearClaim(source));
  const untold = source.metadata.deletionTimestamp ? undefined : silence('source', source);
  return untold ?? { do: 'done', reason: 'NoTransfer' };
}

function giveUp(world: TransferWorld, source: Claim, problem: Problem, now: Date): Decision {
  const isDeleting = source.metadata.deletionTimestamp !== undefined;
  // Its owner wants the volume to live on, and without us it would not: so it stays until they say otherwise.
  const isHeld = isDeleting && holds(source, world.volume);
  if ((isOffered(source) || isPending(source)) && !isHeld) return patch('source', source, clearClaim(source));
  const told = accepts(world.target, placeOf(source)) ? (['source', 'target'] as const) : (['source'] as const);
  return blocked(world, problem, [...told], now);
}
