import type { Claim } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note } from '../../../../reconcile/writes.ts';
import { populatedConditionOf } from '../../populated.ts';
import { removeHold } from './hold.ts';
import { type Problem, reportProblem } from './report.ts';
import { areGoing, undo } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/** Why what was begun is given up, for it to begin anew. */
export const going: Problem = {
  verdict: 'wait',
  reason: 'StartingOver',
  message: 'what an earlier attempt left is being removed; then the restore starts again',
  endsWork: true,
  isOrdinary: true,
};

export const lost: Problem = {
  ...going,
  message:
    'someone has taken or deleted the volume that was created for the claim: what is left is being removed, then the restore starts again',
};

export const changed: Problem = {
  ...going,
  message:
    'the data source is no longer the snapshot that was being restored: what was begun is being removed, then the restore starts again',
};

/**
 * Where nobody may go on with what was begun, removes that; and tells why it does not go on. It is told afterwards: a claim
 * that its owner changes all the time can hardly be written on, and what is somebody else's must not wait for that.
 */
export function stop(world: PopulatingWorld, claim: Claim, problem: Problem, now: Date): Decision<PopulatingWorld> {
  const { verdict, reason, message } = problem;
  const isEnded = problem.endsWork === true || areGoing(world);
  const next = isEnded ? undo(world) : undefined;
  if (next) return reason === going.reason ? withNote(next, claim, problem) : next;
  // Why it starts over is told once, and not with every piece that goes.
  const isTold = reason === going.reason && populatedConditionOf(claim)?.reason === reason;
  const told = isTold ? undefined : reportProblem(world, claim, problem, now);
  return told ?? (isEnded ? removeHold(claim) : undefined) ?? { do: verdict, reason, message };
}

/** Why it begins anew is not known any more when all is removed, so it is told with the removal. */
function withNote(
  next: Decision<PopulatingWorld>,
  claim: Claim,
  { reason, message }: Problem,
): Decision<PopulatingWorld> {
  if (next.do !== 'write') return next;
  const announce = [...(next.write.announce ?? []), note(claim, reason, message)];
  return { ...next, write: { ...next.write, announce } };
}
