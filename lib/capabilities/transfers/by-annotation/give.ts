import { pointTo } from '../../../kubernetes/claim-ref.ts';
import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { tooOld } from '../../../reconcile/trust.ts';
import { pointsTo, taken } from '../claim-ref.ts';
import type { TransferWorld } from '../world.ts';
import { confirm, patch } from '../writes.ts';
import { blocked, participants } from './conditions.ts';
import { markReleased, type Offer } from './volume-marks.ts';

/** Moves the volume, if it is still where we left it. The caller has checked that no one uses it there any more. */
export function give(
  world: TransferWorld,
  offer: Offer,
  volume: Volume,
  target: Claim,
  now: Date,
): Decision<TransferWorld> {
  const isOfDestination = pointsTo(volume, offer.destination);
  if (volume.spec.claimRef?.uid !== offer.source.uid && !isOfDestination) {
    return blocked(world, taken(volume), participants(world), now);
  }
  // A stale read may show an acceptance that has been withdrawn, or a claim that is gone.
  return tooOld(world, now) ?? confirm(world, 'target', target) ?? patch('volume', volume, moveTo(target, offer, now));
}

function moveTo(target: Claim, { releasedAt }: Offer, now: Date): object {
  const move = pointTo(target);
  const annotations = { ...move.metadata.annotations, ...markReleased(releasedAt ?? now).metadata.annotations };
  return { ...move, metadata: { annotations } };
}
