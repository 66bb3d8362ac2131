import { isGone } from '../../../kubernetes/gone.ts';
import type { Claim } from '../../../kubernetes/objects.ts';
import { placeOf } from '../../../kubernetes/places.ts';
import { isSame, type Said, stamp } from '../../../reconcile/conditions.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { measured } from '../measurements.ts';
import { asDecision, type Problem, reject } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { freeOnesFirst, isHeldUp, patchStatus } from '../writes.ts';
import { accepts, isFinished, offers } from './acceptance.ts';
import { acceptedFrom, isAccepting, isComplete, isOffered, offeredTo } from './claim-marks.ts';
import { offerOn } from './volume-marks.ts';

const type = 'Transferred';
type Slot = 'source' | 'target';

/** Reports on these claims, as a condition and an Event, what their transfer waits for; then waits. */
export function blocked(world: TransferWorld, problem: Problem, slots: Slot[], now: Date): Decision<TransferWorld> {
  for (const [index, slot] of freeOnesFirst(world, slots).entries()) {
    // On however many claims it is reported, it counts as one failure.
    const effects = setCondition(world, slot, problem, index === 0, now);
    if (effects) return effects;
  }
  return asDecision(problem);
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
  const isToldByOther =
    offer !== undefined && source?.metadata.uid !== offer.source.uid && offers(source, offer.destination);
  const isTold = isTarget && !isOver && !isToldByOther;
  return [...(isSource ? (['source'] as const) : []), ...(isTold ? (['target'] as const) : [])];
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
  problem: Problem,
  slot: Slot,
  now: Date,
): Decision<TransferWorld> | undefined {
  const claim = world[slot];
  return claim && conditionOf(claim)?.status === 'False' ? setCondition(world, slot, problem, false, now) : undefined;
}

export function setCondition(
  world: TransferWorld,
  slot: Slot,
  { verdict, reason, message }: Problem,
  isCounted: boolean,
  now: Date,
): Decision<TransferWorld> | undefined {
  const claim = world[slot];
  const said: Said = { type, status: 'False', reason, message };
  if (!claim || isSame(conditionOf(claim), said)) return undefined;
  // An offered claim that also accepts has one condition for both, and its offer takes precedence.
  if (slot === 'target' && isOffered(claim)) return undefined;
  const isRejected = verdict === 'reject';
  const announce = [{ regarding: claim, type: isRejected ? 'Warning' : 'Normal', reason, message } as const];
  const measure = isRejected && isCounted ? [measured('TransfersFailed', 'ByAnnotation', reason)] : [];
  return patchConditions(slot, claim, [stamp(said, claim.status?.conditions, undefined, now)], { announce, measure });
}

/** Sets the condition to True, if the claim has one: it need not wait any more. */
export function setConditionTrue(
  claim: Claim,
  reason: string,
  message: string,
  now: Date,
): Decision<TransferWorld> | undefined {
  const said: Said = { type, status: 'True', reason, message };
  if (!conditionOf(claim) || isSame(conditionOf(claim), said)) return undefined;
  return patchConditions('target', claim, [stamp(said, claim.status?.conditions, undefined, now)]);
}

/** Removes the condition of a transfer that no one wants any more. */
export function clearCondition(slot: Slot, claim: Claim): Decision<TransferWorld> | undefined {
  return conditionOf(claim)?.status === 'False' ? patchConditions(slot, claim, []) : undefined;
}

function conditionOf(claim: Claim) {
  return claim.status?.conditions?.find((condition) => condition.type === type);
}

/** Conditions of others stay. */
function patchConditions(slot: Slot, claim: Claim, own: object[], effects: object = {}): Decision<TransferWorld> {
  const others = claim.status?.conditions?.filter((condition) => condition.type !== type) ?? [];
  return patchStatus(slot, claim, { conditions: [...others, ...own] }, effects);
}
