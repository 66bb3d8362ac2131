import type { Claim, Volume } from '../../../kubernetes/objects.ts';
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
 * Only the target's side can solve this. If a deleted claim is held meanwhile, the claim reports it: an owner who
 * allowed the transfer by a grant sees nothing else of it. Only its volume's key reports it.
 */
export function held(
  world: TransferWorld,
  course: Course,
  source: Claim | undefined,
  obstacle: StagedObstacle,
  now: Date,
): Decision<TransferWorld> {
  const isPassing = world.target !== undefined && isJustDeleted(world.target, now);
  const isHeld = source?.metadata.deletionTimestamp !== undefined && isMoving(source, world.volume) && !isPassing;
  // A claim that is also offered has one condition for both, on which its own key reports the request.
  const isSilent = world.isOfRequest === true || (source !== undefined && offeredTo(source) !== undefined);
  const reporting =
    isHeld && !isSilent ? setCondition(world, 'source', explanation(world, course, obstacle), false, now) : undefined;
  return reporting ?? blocked(world, obstacle, now);
}

/** Its volume may already point to a target that has gone since, and is refused when it is to be created again. */
function isMoving(source: Claim, volume: Volume | undefined): boolean {
  return holds(source, volume) || recordOf(volume)?.source.uid === source.metadata.uid;
}

/** The details of the other namespace are disclosed only to those who requested the transfer. */
function explanation({ volume }: TransferWorld, { source, target, transfer }: Course, { reason }: StagedObstacle) {
  const advice = recordOf(volume)
    ? 'The owner of the request can fix that, or delete the request. In that case this claim stays with its volume, which can be offered to another claim'
    : 'The owner of the request can fix that. You can also revoke the approval or the ReferenceGrant: this claim then stays with its volume, which can be offered to another claim';
  const message = `claim ${displayName(source)} is being deleted and stays until its volume can move to claim ${displayName(target)}, as request ${displayName(transfer)} asks (${reason}). ${advice}`;
  return reject(reason, message);
}
