import type { Claim } from '../../lib/cluster/objects.ts';
import { populatedConditionOf } from '../../lib/data-sources/populated.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import { dropHold } from './hold.ts';
import type { PopulatingWorld } from './read.ts';
import { type Problem, sayProblem } from './tell.ts';
import { areGoing, undo } from './undo.ts';

/** Why what was begun is given up, for it to begin anew. */
export const going: Problem = {
  verdict: 'wait',
  reason: 'StartingOver',
  message: 'what was begun before is being removed; then it begins anew',
  endsWork: true,
  isOrdinary: true,
};

export const lost: Problem = {
  ...going,
  message:
    'somebody has taken or deleted the volume that was made for the claim: what is left is removed, then it begins anew',
};

export const changed: Problem = {
  ...going,
  message:
    'the data source is another snapshot than the one that was being restored: that is removed, then it begins anew',
};

/** Tells why it does not go on; and where nobody may go on with what was begun, removes that. */
export function stop(world: PopulatingWorld, claim: Claim, problem: Problem, now: Date): Decision {
  const { verdict, reason, message } = problem;
  const isEnded = problem.endsWork === true || areGoing(world);
  // Why it starts over is told once, and not with every piece that goes.
  const isTold = reason === going.reason && populatedConditionOf(claim)?.reason === reason;
  const told = isTold ? undefined : sayProblem(world, claim, problem, now);
  return told ?? (isEnded ? (undo(world) ?? dropHold(claim)) : undefined) ?? { do: verdict, reason, message };
}
