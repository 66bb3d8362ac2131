import type { Claim, TransferRequest } from '../../../kubernetes/objects.ts';
import { sameIdentity } from '../../../kubernetes/places.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { holds } from '../read.ts';
import type { TransferWorld } from '../world.ts';
import { isHeldUp, patch, remove } from '../writes.ts';
import { isFencedBy, removeFence, type TransferIdentity, transferredBy } from './claim-marks.ts';
import { requestObstacle, withdrawal } from './consent.ts';
import { type Course, courseOf } from './course.ts';
import { held } from './held.ts';
import { prepare } from './prepare.ts';
import { sourceObstacle } from './source-checks.ts';
import { blocked } from './status.ts';
import { isUnused, targetObstacle } from './target.ts';
import { undo } from './undo.ts';
import { isUndoing, recordOf, undoingOf } from './volume-marks.ts';

/** The next step of a requested transfer towards its point of no return, or back. */
export function advance(world: TransferWorld, request: TransferRequest, now: Date): Decision<TransferWorld> {
  const malformed = requestObstacle(request);
  if (malformed) return blocked(world, malformed, now);
  const course = courseOf(request);
  const { volume } = world;
  const withdrawn = withdrawal(request, world);
  // No claim is held for a problem that only the target's side can solve, such as a name in use, or a quota.
  const onTarget = volume && targetObstacle(world, course, volume);
  const { source } = world;
  // A claim that its owner has deleted is held until the transfer can continue: without the fence its data would be
  // lost.
  const isLeaving = source?.metadata.deletionTimestamp !== undefined && isFencedBy(source, course.transfer);
  const heldBy = withdrawn ? (withdrawn.reason === 'TransfersOff' ? withdrawn : undefined) : onTarget;
  if (isLeaving && heldBy && !undoingOf(volume)) return held(world, course, source, heldBy, now);
  // What has begun to be rolled back is rolled back to its end, whatever has been read anew meanwhile.
  if (volume && (isUndoing(volume, course.transfer) || ((withdrawn || onTarget) && isFencedFor(world, course)))) {
    return undo(world, course.transfer, volume, now);
  }
  // With the volume gone, there is nothing else to roll back.
  if (withdrawn && !volume && source && isFencedBy(source, course.transfer))
    return patch('source', source, removeFence(source));
  const obstacle = withdrawn ?? sourceObstacle(request, world) ?? onTarget;
  if (obstacle) {
    const orphan = orphanOf(world, course.transfer);
    return orphan && !isHeldUp(world, 'target') ? remove('target', orphan) : blocked(world, obstacle, now);
  }
  if (!world.source || !volume) throw new Error('the checks let a source pass that is not there');
  return prepare(world, course, world.source, volume, now);
}

function isFencedFor({ source, volume }: TransferWorld, { transfer }: Course): boolean {
  return holds(source, volume) && isFencedBy(source, transfer);
}

/** A target that a delayed worker created after its transfer had ended or was rolled back: it will never be bound. */
export function orphanOf(world: TransferWorld, transfer: TransferIdentity): Claim | undefined {
  const { source, target, volume } = world;
  const by = transferredBy(target);
  if (!target || !isUnused(target) || !by || !sameIdentity(by, transfer)) return undefined;
  return isFencedBy(source, transfer) || recordOf(volume) ? undefined : target;
}
