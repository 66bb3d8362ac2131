import type { Claim } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { reject } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { offeredTo } from '../by-annotation/claim-marks.ts';
import { setCondition } from '../by-annotation/conditions.ts';
import { holds } from '../read.ts';
import type { StagedObstacle } from '../reasons.ts';
import { isJustDeleted } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import type { Course } from './course.ts';
import { blocked } from './status.ts';
import { recordOf } from './volume-marks.ts';

/**
 * Only the target's side can mend this. Where a claim that its owner has deleted is held meanwhile, the claim says so: an
 * owner who allowed the transfer by a grant sees nothing else of it. It is told by the key of its volume alone.
 */
export function held(
  world: TransferWorld,
  course: Course,
  source: Claim | undefined,
  obstacle: StagedObstacle,
  now: Date,
): Decision<TransferWorld> {
  const isPassing = world.target !== undefined && isJustDeleted(world.target, now);
  const isHeld = source?.metadata.deletionTimestamp !== undefined && holds(source, world.volume) && !isPassing;
  // One that is offered as well has one condition for both, by which its own key tells of the request.
  const isSilent = world.isOfRequest === true || (source !== undefined && offeredTo(source) !== undefined);
  const told =
    isHeld && !isSilent ? setCondition(world, 'source', explanation(world, course, obstacle), false, now) : undefined;
  return told ?? blocked(world, obstacle, now);
}

/** What is wrong in the other namespace in full is the business of those who asked. */
function explanation({ volume }: TransferWorld, { source, target, transfer }: Course, { reason }: StagedObstacle) {
  const advice = recordOf(volume)
    ? 'The owner of the request can fix that, or delete the request. In that case this claim stays with its volume, which can be offered to another claim'
    : 'The owner of the request can fix that. You can also revoke the approval or the ReferenceGrant: this claim then stays with its volume, which can be offered to another claim';
  const message = `claim ${displayName(source)} is being deleted and stays until its volume can move to claim ${displayName(target)}, as request ${displayName(transfer)} asks (${reason}). ${advice}`;
  return reject(reason, message);
}
