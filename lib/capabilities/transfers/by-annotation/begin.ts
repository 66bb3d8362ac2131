import { isGone } from '../../../kubernetes/gone.ts';
import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { type Place, placeOf } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { measured } from '../measurements.ts';
import { holds } from '../read.ts';
import type { TransferObstacle } from '../reasons.ts';
import type { TransferWorld } from '../world.ts';
import { confirm, note, patch } from '../writes.ts';
import { addFence, clearClaim, isOffered, isPending, offerAnnotation, offeredTo } from './claim-marks.ts';
import { blocked, clearCondition, participants } from './conditions.ts';
import { malformed, offerObstacle } from './offer-checks.ts';
import { markUnfencing, mayLoseFence, noLongerUnfencing, unfencingOn, writeOffer } from './volume-marks.ts';

/**
 * A claim whose volume has no record of an offer: secures the volume if its owner offers it, and otherwise cleans up.
 */
export function begin(world: TransferWorld, source: Claim, now: Date): Decision<TransferWorld> {
  const offered = offeredTo(source);
  if (!offered) return tidy(world, source, now);
  if ('malformed' in offered) return giveUp(world, source, malformed(offerAnnotation, offered.malformed), now);
  const obstacle = offerObstacle(world, source, offered.place);
  if (obstacle || !world.volume) return giveUp(world, source, obstacle ?? waitFor('VolumeMissing', 'no volume'), now);
  // The fence goes first: from then on the claim cannot disappear unseen, whatever its owner does.
  if (!isOffered(source)) return patch('source', source, addFence(source));
  // Another worker is removing the very fence that this one relies on: that comes first.
  if (mayLoseFence(source, world.volume)) return patch('source', source, clearClaim(source));
  // A delayed worker must not secure a volume whose offer has been withdrawn since it read the claim.
  return confirm(world, 'source', source) ?? secure(world, source, offered.place, world.volume);
}

function secure(world: TransferWorld, source: Claim, destination: Place, volume: Volume): Decision<TransferWorld> {
  const message = `is retained for claim ${displayName(destination)}, to which claim ${displayName(placeOf(source))} is offered`;
  return patch('volume', volume, writeOffer(source, destination, volume, world), {
    announce: [note(volume, 'TransferPending', message)],
    measure: [measured('TransfersStarted', 'ByAnnotation')],
  });
}

/** The claim is not offered, or no longer. */
function tidy(world: TransferWorld, source: Claim, now: Date): Decision<TransferWorld> {
  if (isGone(source)) return forget(world, source) ?? { do: 'done', reason: 'SourceGone' };
  const clearing = clear(world, source);
  const clearingCondition = source.metadata.deletionTimestamp ? undefined : clearCondition('source', source, now);
  return clearing ?? forget(world, source) ?? clearingCondition ?? { do: 'done', reason: 'NoTransfer' };
}

function giveUp(world: TransferWorld, source: Claim, obstacle: TransferObstacle, now: Date): Decision<TransferWorld> {
  if (isGone(source)) return { do: 'done', reason: 'SourceGone' };
  const isDeleting = source.metadata.deletionTimestamp !== undefined;
  // Its owner wanted the volume to be kept, and without the fence it would be deleted: so the claim stays until they
  // decide otherwise.
  const isHeld = isDeleting && holds(source, world.volume);
  const clearing = isHeld ? undefined : (clear(world, source) ?? forget(world, source));
  return clearing ?? blocked(world, obstacle, participants(world), now);
}

/**
 * Removes our marks. The fence is removed only after that is noted on the volume: a worker that is about to write a
 * record there has read the volume without the note, and its write is refused (docs/decisions/0011).
 */
function clear(world: TransferWorld, source: Claim): Decision<TransferWorld> | undefined {
  const { volume } = world;
  if (!isOffered(source) && !isPending(source)) return undefined;
  if (!volume || !isOffered(source) || !holds(source, volume)) {
    const unconfirmed = volume ? confirm(world, 'volume', volume) : undefined;
    return unconfirmed ?? patch('source', source, clearClaim(source));
  }
  if (!mayLoseFence(source, volume)) return patch('volume', volume, markUnfencing(source));
  return patch('source', source, clearClaim(source));
}

/** The fence is removed, or its claim is gone. A stale response may lack a fence that has been added since. */
export function forget(world: TransferWorld, source: Claim | undefined): Decision<TransferWorld> | undefined {
  const { volume } = world;
  const unfencing = unfencingOn(volume);
  if (!volume || !unfencing) return undefined;
  const same = source?.metadata.uid === unfencing.source.uid && !isGone(source) ? source : undefined;
  if (isOffered(same)) return undefined;
  return (same && confirm(world, 'source', same)) ?? patch('volume', volume, noLongerUnfencing);
}
