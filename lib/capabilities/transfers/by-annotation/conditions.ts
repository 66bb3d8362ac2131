import { isGone } from '../../../kubernetes/gone.ts';
import type { Claim } from '../../../kubernetes/objects.ts';
import { placeOf } from '../../../kubernetes/places.ts';
import { resources } from '../../../kubernetes/resources.ts';
import { says } from '../../../reconcile/conditions.ts';
import { reject } from '../../../reconcile/obstacle.ts';
import { report } from '../../../reconcile/report.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { measured } from '../measurements.ts';
import type { TransferObstacle, TransferReason } from '../reasons.ts';
import type { TransferWorld } from '../world.ts';
import { freeOnesFirst, isHeldUp } from '../writes.ts';
import { accepts, isFinished, offers } from './acceptance-checks.ts';
import { acceptedFrom, isAccepting, isComplete, isOffered, offeredTo } from './claim-marks.ts';
import { offerOn } from './volume-marks.ts';

const type = 'Transferred';
type Slot = 'source' | 'target';

const kept = { resource: resources.claim, readiness: 'none', isOurs: (each: string) => each === type } as const;
const parts = { source: { slot: 'source', ...kept }, target: { slot: 'target', ...kept } } as const;

/** Reports on these claims, as a condition and an Event, what their transfer waits for; then waits. */
export function blocked(
  world: TransferWorld,
  obstacle: TransferObstacle,
  slots: Slot[],
  now: Date,
): Decision<TransferWorld> {
  for (const [index, slot] of freeOnesFirst(world, slots).entries()) {
    // On however many claims it is reported, it counts as one failure.
    const effects = setCondition(world, slot, obstacle, index === 0, now);
    if (effects) return effects;
  }
  return obstacle;
}

/** The claims whose owners want the transfer. Anyone can name any claim, but claims of others are not written to. */
export function participants({ volume, source, target }: TransferWorld): Slot[] {
  const offer = offerOn(volume);
  const isSource =
    source !== undefined && !isGone(source) && (offer ? source.metadata.uid === offer.source.uid : isWanted(source));
  const place = offer?.source ?? (source && placeOf(source));
  // A claim that has the volume it accepted takes no further part, whoever else offers it something.
  const isOver = target && (volume && offer ? isFinished(target, volume) : isComplete(target));
  const isTarget = place ? accepts(target, place) : acceptedFrom(target) !== undefined;
  // If another claim now has the source's name and is offered to the same target, only that offer reports on the target.
  const isReportedByOther =
    offer !== undefined && source?.metadata.uid !== offer.source.uid && offers(source, offer.destination);
  const isTargetIncluded = isTarget && !isOver && !isReportedByOther;
  return [...(isSource ? (['source'] as const) : []), ...(isTargetIncluded ? (['target'] as const) : [])];
}

function isWanted(source: Claim): boolean {
  // A claim without a volume is reported on with its own key.
  return isOffered(source) || (offeredTo(source) !== undefined && !isAccepting(source));
}

/** Reports that the work itself failed, and is given up until the next change or resync. */
export function failed(world: TransferWorld, message: string, now: Date): Decision<TransferWorld> {
  return blocked(world, reject('Failed', message), participants(world), now);
}

/**
 * The first write that is needed, the target's before the source's. If someone keeps changing the target, the source comes
 * first, so that its owner is informed all the same.
 */
export function firstOf(
  world: TransferWorld,
  candidates: (() => Decision<TransferWorld> | undefined)[],
): Decision<TransferWorld> | undefined {
  for (const each of isHeldUp(world, 'target') ? [...candidates].reverse() : candidates) {
    const effects = each();
    if (effects) return effects;
  }
  return undefined;
}

/** Updates the condition of a claim that has one; a claim without one gets none. */
export function updateCondition(
  world: TransferWorld,
  obstacle: TransferObstacle,
  slot: Slot,
  now: Date,
): Decision<TransferWorld> | undefined {
  const claim = world[slot];
  return claim && conditionOf(claim)?.status === 'False' ? setCondition(world, slot, obstacle, false, now) : undefined;
}

export function setCondition(
  world: TransferWorld,
  slot: Slot,
  { do: verdict, reason, message }: TransferObstacle,
  isCounted: boolean,
  now: Date,
): Decision<TransferWorld> | undefined {
  const claim = world[slot];
  // An offered claim that also accepts has one condition for both, and its offer takes precedence.
  if (!claim || (slot === 'target' && isOffered(claim))) return undefined;
  const isRejected = verdict === 'reject';
  const said = [says(type, 'False', reason, message)];
  const measure = isRejected && isCounted ? [measured('TransfersFailed', 'ByAnnotation', reason)] : [];
  return report(parts[slot], claim, { said, event: isRejected ? 'Warning' : 'Normal', measure }, now);
}

/** Sets the condition to True, if the claim has one: it need not wait any more. */
export function setConditionTrue(
  claim: Claim,
  reason: TransferReason,
  message: string,
  now: Date,
): Decision<TransferWorld> | undefined {
  return conditionOf(claim) && report(parts.target, claim, { said: [says(type, 'True', reason, message)] }, now);
}

/** Removes the condition of a transfer that no one wants any more. */
export function clearCondition(slot: Slot, claim: Claim, now: Date): Decision<TransferWorld> | undefined {
  return conditionOf(claim)?.status === 'False' ? report(parts[slot], claim, { said: [] }, now) : undefined;
}

function conditionOf(claim: Claim) {
  return claim.status?.conditions?.find((condition) => condition.type === type);
}
