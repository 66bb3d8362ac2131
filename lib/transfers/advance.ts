import type { Claim, TransferRequest } from '../cluster/objects.ts';
import type { Decision } from '../reconcile/step.ts';
import { approvalBlocker, requestBlocker } from './consent.ts';
import { type Course, remove } from './course.ts';
import { finish } from './finish.ts';
import { fenceOf, identityOf, recordOf, sameTransfer, transferredBy, transferredFrom } from './marks.ts';
import { prepare } from './prepare.ts';
import { sourceBlocker } from './source-checks.ts';
import { blocked } from './status.ts';
import { isTargetOf } from './target.ts';
import type { TransferWorld } from './world.ts';

/** The next step of the transfer that a request asks for, wherever that transfer stands. */
export function advance(world: TransferWorld, request: TransferRequest, now: Date): Decision {
  const malformed = requestBlocker(request);
  if (malformed) return blocked(world, malformed, now);
  const course = courseOf(request);
  const { volume } = world;
  if (volume && (isBeyondReturn(world, course) || isMoved(world, course))) {
    return finish(ownSourceOnly(world, course), course, volume, now);
  }
  const blocker = approvalBlocker(request, world.approval) ?? sourceBlocker(request, world);
  if (blocker) {
    const orphan = orphanOf(world, course);
    return orphan ? remove('target', orphan) : blocked(world, blocker, now);
  }
  if (!world.source || !volume) throw new Error('the checks let a source pass that is not there');
  return prepare(world, course, world.source, volume, now);
}

export function courseOf(request: TransferRequest): Course {
  const transfer = identityOf(request);
  const { source, targetName, approvalName } = request.spec;
  return {
    transfer,
    source: { namespace: source.namespace, name: source.name },
    target: { namespace: transfer.namespace, name: targetName },
    approval: approvalName,
  };
}

/** The volume carries this transfer's record, and the source that it names is deleted or gone. */
export function isBeyondReturn({ source, volume }: TransferWorld, course: Course): boolean {
  const record = recordOf(volume);
  if (!record || !sameTransfer(record.transfer, course.transfer)) return false;
  if (!source || source.metadata.uid !== record.source.uid) return true;
  return source.metadata.deletionTimestamp !== undefined && !fenceOf(source)?.undoing;
}

/** The volume belongs to this transfer's target, whether or not the record is still on it. */
function isMoved({ target, volume }: TransferWorld, course: Course): boolean {
  return Boolean(
    volume && target && isTargetOf(target, course, volume) && volume.spec.claimRef?.uid === target.metadata.uid,
  );
}

/** A target that a delayed worker made after its transfer was over or rolled back: nothing will ever bind it. */
export function orphanOf({ source, target, volume }: TransferWorld, course: Course): Claim | undefined {
  const by = transferredBy(target);
  if (!target || target.metadata.deletionTimestamp || !by || !sameTransfer(by, course.transfer)) return undefined;
  return fenceOf(source) || recordOf(volume) || transferredFrom(target) ? undefined : target;
}

/** A StatefulSet makes a deleted claim anew at once: a claim of the source's name need not be the source. */
export function ownSourceOnly(world: TransferWorld, course: Course): TransferWorld {
  const fence = fenceOf(world.source);
  const isFenced = fence !== undefined && sameTransfer(fence.transfer, course.transfer);
  const isRecorded = world.source?.metadata.uid === recordOf(world.volume)?.source.uid;
  return isFenced || isRecorded ? world : { ...world, source: undefined };
}
