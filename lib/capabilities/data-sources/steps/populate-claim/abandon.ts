import type { Claim } from '../../../../kubernetes/objects.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note } from '../../../../reconcile/writes.ts';
import { populatedConditionOf } from '../../populated.ts';
import { type DataObstacle, dataReasons } from '../../reasons.ts';
import { removeHold } from './hold.ts';
import { reportObstacle } from './report.ts';
import { areGoing, undo } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/** The reason for giving up a restore that then starts over. */
export const going = waitFor(
  'StartingOver',
  'what an earlier attempt left is being removed; then the restore starts again',
);

export const lost = waitFor(
  'StartingOver',
  'someone has taken or deleted the volume that was created for the claim: what is left is being removed, then the restore starts again',
);

export const changed = waitFor(
  'StartingOver',
  'the data source is no longer the snapshot that was being restored: what was begun is being removed, then the restore starts again',
);

/**
 * Gives up a restore, as when its grant was withdrawn: removes what was begun, then reports why. In this order, because a claim
 * that its owner keeps changing can hardly be written to, and the copies in other namespaces must not wait for that.
 */
export function giveUp(
  world: PopulatingWorld,
  claim: Claim,
  obstacle: DataObstacle,
  now: Date,
): Decision<PopulatingWorld> {
  const { reason } = obstacle;
  const isEnded = dataReasons[reason].endsWork === true || areGoing(world);
  const next = isEnded ? undo(world) : undefined;
  if (next) return reason === going.reason ? withNote(next, claim, obstacle) : next;
  // The reason for starting over is reported once, and not with every copy that is removed.
  const isReported = reason === going.reason && populatedConditionOf(claim)?.reason === reason;
  const reporting = isReported ? undefined : reportObstacle(world, claim, obstacle, now);
  return reporting ?? (isEnded ? removeHold(claim) : undefined) ?? obstacle;
}

/** When everything is removed the reason for starting over is lost, so it is reported with the removal. */
function withNote(
  next: Decision<PopulatingWorld>,
  claim: Claim,
  { reason, message }: DataObstacle,
): Decision<PopulatingWorld> {
  if (next.do !== 'write') return next;
  const announce = [...(next.write.announce ?? []), note(claim, reason, message)];
  return { ...next, write: { ...next.write, announce } };
}
