import type { Claim } from '../../cluster/objects.ts';
import { isSame, type Said, stamp } from '../../reconcile/conditions.ts';
import { type Decision, preconditionsOf } from '../../reconcile/step.ts';
import { measured } from '../measurements.ts';
import { placeOf } from '../places.ts';
import { type Problem, reject } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { claimName } from '../writes.ts';

const type = 'Transferred';
type Slot = 'source' | 'target';

/** Says on these claims, as a condition and an Event, what their transfer waits for; then waits. */
export function blocked(world: TransferWorld, problem: Problem, slots: Slot[], now: Date): Decision {
  for (const slot of slots) {
    const telling = tell(world, slot, problem, now);
    if (telling) return telling;
  }
  const { verdict, reason, message } = problem;
  return { do: verdict, reason, message };
}

/** Says that the work itself failed and is given up until the next change or resync. */
export function failed(world: TransferWorld, message: string, now: Date): Decision {
  return blocked(world, reject('Failed', message), ['source', 'target'], now);
}

function tell(world: TransferWorld, slot: Slot, { verdict, reason, message }: Problem, now: Date) {
  const claim = world[slot];
  const said: Said = { type, status: 'False', reason, message };
  if (!claim || isSame(conditionOf(claim), said)) return undefined;
  const isRejected = verdict === 'reject';
  const announce = [{ regarding: claim, type: isRejected ? 'Warning' : 'Normal', reason, message } as const];
  const measure = isRejected ? [measured('TransfersFailed', 'ByAnnotation', reason)] : [];
  return say(slot, claim, [stamp(said, claim.status?.conditions, undefined, now)], { announce, measure });
}

/** A claim that was told to wait is told that it need not any more. */
export function contradict(claim: Claim, reason: string, message: string, now: Date): Decision | undefined {
  const said: Said = { type, status: 'True', reason, message };
  if (!conditionOf(claim) || isSame(conditionOf(claim), said)) return undefined;
  return say('target', claim, [stamp(said, claim.status?.conditions, undefined, now)]);
}

/** What was said of a transfer that nobody wants any more is not true any more. */
export function silence(slot: Slot, claim: Claim): Decision | undefined {
  return conditionOf(claim)?.status === 'False' ? say(slot, claim, []) : undefined;
}

function conditionOf(claim: Claim) {
  return claim.status?.conditions?.find((condition) => condition.type === type);
}

/** Others say things about the claim as well: theirs stays. */
function say(slot: Slot, claim: Claim, own: object[], telling: object = {}): Decision {
  const others = claim.status?.conditions?.filter((condition) => condition.type !== type) ?? [];
  return {
    do: 'write',
    write: {
      verb: 'patch',
      slot,
      object: claimName(placeOf(claim)),
      body: { status: { conditions: [...others, ...own] } },
      subresource: 'status',
      preconditions: preconditionsOf(claim),
      ...telling,
    },
  };
}
