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

/** Says on these claims, as a condition and an Event, what their transfer waits for; then waits. */
export function blocked(world: TransferWorld, problem: Problem, slots: Slot[], now: Date): Decision<TransferWorld> {
  for (const [index, slot] of freeOnesFirst(world, slots).entries()) {
    // However many are told of it, it is one failure.
    const telling = tell(world, slot, problem, index === 0, now);
    if (telling) return telling;
  }
  return asDecision(problem);
}

/** The claims whose owners want the transfer: anybody can name any claim, but nobody else's is written to. */
export function concerned({ volume, source, target }: TransferWorld): Slot[] {
  const offer = offerOn(volume);
  const isSource =
    source !== undefined && !isGone(source) && (offer ? source.metadata.uid === offer.source.uid : isWanted(source));
  const place = offer?.source ?? (source && placeOf(source));
  // A claim that has what it once accepted is done with transfers, whoever offers it something else.
  const isOver = target && (volume && offer ? isFinished(target, volume) : isComplete(target));
  const isTarget = place ? accepts(target, place) : acceptedFrom(target) !== undefined;
  // Whoever has the source's name by now and offers theirs to the same claim tells it how that stands, and not by turns.
  const isToldByOther =
    offer !== undefined && source?.metadata.uid !== offer.source.uid && offers(source, offer.destination);
  const isTold = isTarget && !isOver && !isToldByOther;
  return [...(isSource ? (['source'] as const) : []), ...(isTold ? (['target'] as const) : [])];
}

function isWanted(source: Claim): boolean {
  // What one that has no volume yet is told of what it accepts, its own key tells it.
  return isOffered(source) || (offeredTo(source) !== undefined && !isAccepting(source));
}

/** Says that the work itself failed and is given up until the next change or resync. */
export function failed(world: TransferWorld, message: string, now: Date): Decision<TransferWorld> {
  return blocked(world, reject('Failed', message), concerned(world), now);
}

/**
 * Both sides, the acceptor's first: unless somebody changes that all the time, which does not keep the owner of the source from
 * being told.
 */
export function inTurn(
  world: TransferWorld,
  tellings: (() => Decision<TransferWorld> | undefined)[],
): Decision<TransferWorld> | undefined {
  for (const each of isHeldUp(world, 'target') ? [...tellings].reverse() : tellings) {
    const telling = each();
    if (telling) return telling;
  }
  return undefined;
}

/** Something else than what was said last is true now; to a claim that was told nothing nothing is said. */
export function retell(
  world: TransferWorld,
  problem: Problem,
  slot: Slot,
  now: Date,
): Decision<TransferWorld> | undefined {
  const claim = world[slot];
  return claim && conditionOf(claim)?.status === 'False' ? tell(world, slot, problem, false, now) : undefined;
}

export function tell(
  world: TransferWorld,
  slot: Slot,
  { verdict, reason, message }: Problem,
  isCounted: boolean,
  now: Date,
): Decision<TransferWorld> | undefined {
  const claim = world[slot];
  const said: Said = { type, status: 'False', reason, message };
  if (!claim || isSame(conditionOf(claim), said)) return undefined;
  // A claim that is offered itself has one condition for both: what it offers counts for more than what it is to get.
  if (slot === 'target' && isOffered(claim)) return undefined;
  const isRejected = verdict === 'reject';
  const announce = [{ regarding: claim, type: isRejected ? 'Warning' : 'Normal', reason, message } as const];
  const measure = isRejected && isCounted ? [measured('TransfersFailed', 'ByAnnotation', reason)] : [];
  return say(slot, claim, [stamp(said, claim.status?.conditions, undefined, now)], { announce, measure });
}

/** A claim that was told to wait is told that it need not any more. */
export function contradict(
  claim: Claim,
  reason: string,
  message: string,
  now: Date,
): Decision<TransferWorld> | undefined {
  const said: Said = { type, status: 'True', reason, message };
  if (!conditionOf(claim) || isSame(conditionOf(claim), said)) return undefined;
  return say('target', claim, [stamp(said, claim.status?.conditions, undefined, now)]);
}

/** What was said of a transfer that nobody wants any more is not true any more. */
export function silence(slot: Slot, claim: Claim): Decision<TransferWorld> | undefined {
  return conditionOf(claim)?.status === 'False' ? say(slot, claim, []) : undefined;
}

function conditionOf(claim: Claim) {
  return claim.status?.conditions?.find((condition) => condition.type === type);
}

/** Others say things about the claim as well: theirs stays. */
function say(slot: Slot, claim: Claim, own: object[], telling: object = {}): Decision<TransferWorld> {
  const others = claim.status?.conditions?.filter((condition) => condition.type !== type) ?? [];
  return patchStatus(slot, claim, { conditions: [...others, ...own] }, telling);
}
