import type { Claim, ReclaimPolicy, Volume } from '../../../kubernetes/objects.ts';
import { identityOf } from '../../../kubernetes/places.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { tooOld } from '../../../reconcile/trust.ts';
import { withoutMark } from '../kept-label.ts';
import { noLongerKept, policyOf } from '../kept-volume.ts';
import { measured } from '../measurements.ts';
import type { TransferWorld } from '../world.ts';
import { confirm, note, patch } from '../writes.ts';
import { addFence, isFencedBy } from './claim-marks.ts';
import { covers } from './consent.ts';
import type { Course } from './course.ts';
import { blocked } from './status.ts';
import { settleTarget, tryTarget } from './target.ts';
import { writeRecord } from './volume-marks.ts';

/**
 * Everything up to the point of no return, which is the record on the volume. All of it can be rolled back, and a
 * refusal on the target's side (quota, admission, a name) happens here, with nothing destroyed.
 */
export function prepare(
  world: TransferWorld,
  course: Course,
  source: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  if (!isFencedBy(source, course.transfer)) return tryTarget(world, course, source, volume) ?? begin(course, source);
  const onTarget = settleTarget(world, course, source, volume, now);
  if (onTarget) return onTarget;
  if (world.pods.length > 0) return blockedByPods(world, course, now);
  // The volume may have been read after a complete rollback, and the source before it: then its fence is gone by now.
  const unsure = tooOld(world, now) ?? confirm(world, 'source', source);
  if (unsure) return unsure;
  const originalPolicy = policyOf(source, volume) as ReclaimPolicy;
  const agreed = { ...course, source: identityOf(source), approvalUid: agreeing(world), originalPolicy };
  const record = withoutMark(volume, writeRecord(agreed, noLongerKept(source, volume), world.sourceNamespace));
  const message = `moves from claim ${displayName(course.source)} to ${displayName(course.target)}, and is retained until it has moved`;
  return patch('volume', volume, record, { announce: [note(volume, 'TransferBegun', message)] });
}

/** The approval that covers this transfer. If none does, a grant does. */
function agreeing({ request, approval, source }: TransferWorld): string | undefined {
  return request && covers(approval, request, source) ? approval.metadata.uid : undefined;
}

function begin({ transfer, target }: Course, source: Claim): Decision<TransferWorld> {
  const message = `is being moved to ${displayName(target)} for request ${displayName(transfer)}`;
  const effects = {
    announce: [note(source, 'TransferBegun', message)],
    measure: [measured('TransfersStarted', 'ByRequest')],
  };
  return patch('source', source, addFence(source, transfer, target), effects);
}

export function blockedByPods(world: TransferWorld, course: Course, now: Date): Decision<TransferWorld> {
  const pods = world.pods.map((pod) => pod.metadata.name).join(', ');
  const message = `claim ${displayName(course.source)} is used by pods: ${pods}. The transfer continues when they have been deleted. Scale down any workload that recreates them`;
  return blocked(world, waitFor('SourceInUse', message), now);
}
