import type { Claim } from '../../cluster/objects.ts';
import type { Decision } from '../../reconcile/step.ts';
import { placeOf, samePlace } from '../places.ts';
import { reject } from '../source-checks.ts';
import { holds, type TransferWorld } from '../world.ts';
import { patch } from '../writes.ts';
import { notOffered } from './acceptance.ts';
import { begin } from './begin.ts';
import { handOver } from './give.ts';
import { keep } from './keep.ts';
import { acceptAnnotation, acceptedFrom, clearClaim, isComplete, isOffered, isPending, offerOn } from './marks.ts';
import { malformed, switchedOff } from './offer-checks.ts';
import { blocked, silence } from './tell.ts';

/** The next step of a transfer by annotation, from whatever is known of it: the volume counts for more than the claims. */
export function proceed(world: TransferWorld, now: Date): Decision {
  const { source, target, volume, refused } = world;
  if (refused) {
    const problem = reject('WriteRefused', `the ${refused.slot} cannot be changed: ${refused.message}`);
    return blocked(world, problem, ['source', 'target'], now);
  }
  const offer = offerOn(volume);
  if (volume && offer) {
    const isElsewhere = world.destination && !samePlace(world.destination, offer.destination);
    if (isElsewhere) return { do: 'reread', reason: 'DestinationChanged' };
    const isOver = offer.releasedAt !== undefined || volume.spec.claimRef?.uid !== offer.source.uid;
    return isOver ? handOver(world, offer, volume, now) : keep(world, offer, volume, now);
  }
  // After the end, what has the source's name by now is another claim.
  if (source && (!volume || source.spec.volumeName === volume.metadata.name)) return begin(world, source, now);
  return target ? awaitOffer(world, target, now) : { do: 'done', reason: 'NoTransfer' };
}

/** Whether what is known of a volume is a transfer by annotation. The two kinds exclude each other, by their fences. */
export function isByAnnotation({ source, volume }: TransferWorld): boolean {
  return offerOn(volume) !== undefined || (holds(source, volume) && isOffered(source));
}

/** A claim that accepts what nobody offers to it. */
function awaitOffer(world: TransferWorld, target: Claim, now: Date): Decision {
  if (isComplete(target)) return { do: 'done', reason: 'Complete' };
  if (isPending(target)) return patch('target', target, clearClaim(target));
  const wish = acceptedFrom(target);
  if (!wish) return silence('target', target) ?? { do: 'done', reason: 'NoTransfer' };
  if ('malformed' in wish) return blocked(world, malformed(acceptAnnotation, wish.malformed), ['target'], now);
  if (samePlace(wish.place, placeOf(target))) {
    return blocked(world, reject('Invalid', 'a claim cannot accept its own volume'), ['target'], now);
  }
  return blocked(world, switchedOff(world) ?? notOffered(target, wish.place), ['target'], now);
}
