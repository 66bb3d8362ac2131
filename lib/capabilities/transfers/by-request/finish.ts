import { pointTo } from '../../../kubernetes/claim-ref.ts';
import type { Claim, Volume } from '../../../kubernetes/objects.ts';
import { displayName } from '../../../kubernetes/resources.ts';
import { waitFor } from '../../../reconcile/obstacle.ts';
import type { Decision } from '../../../reconcile/step.ts';
import { pointsTo, taken } from '../claim-ref.ts';
import { holds, mountingPods } from '../read.ts';
import { changeInProgress, heldObstacle, isJustDeleted } from '../source-checks.ts';
import type { TransferWorld } from '../world.ts';
import { confirm, note, patch, remove, warn } from '../writes.ts';
import {
  addFence,
  isFenced,
  isFencedBy,
  otherFinalizers,
  recordOrigin,
  releaseDeleted,
  removeFence,
  transferredFrom,
} from './claim-marks.ts';
import { isOpen } from './consent.ts';
import type { Course } from './course.ts';
import { blockedByPods } from './prepare.ts';
import { approvalUsed, blocked, completed } from './status.ts';
import { settleTarget } from './target.ts';
import { markDone, removeRecord, type VolumeRecord, withdrawRecord } from './volume-marks.ts';

/**
 * Everything after the point of no return. From here on the source's side cannot withdraw, and the target's side only
 * until the volume has moved.
 */
export function finish(world: TransferWorld, record: VolumeRecord, volume: Volume, now: Date): Decision<TransferWorld> {
  if (record.isDone) return conclude(world, volume, now);
  if (isWithdrawn(world, record, volume)) return withdrawLate(world, record, volume, now);
  // A StatefulSet recreates a deleted claim at once: a claim with the source's name may not be the source.
  const source = world.source?.metadata.uid === record.source.uid ? world.source : undefined;
  // A lost target is created again at once, so that its name and quota stay reserved.
  const lost = world.target || world.refused ? undefined : settleTarget(world, record, source, volume, now);
  if (lost) return lost;
  if (volume.spec.claimRef?.uid === record.source.uid) {
    const onSource = source ? deleteSource(world, record, source, volume, now) : undefined;
    if (onSource) return onSource;
    // The cluster's own protection may have been removed by force while pods still have the volume mounted.
    if (world.arePodsRecent) return { do: 'reread', reason: 'PodsTooOld' };
    const mounting = mountingPods(world, record.source.uid);
    if (mounting.length > 0) return blockedByPods({ ...world, pods: mounting }, record, now);
  }
  const onTarget = settleTarget(world, record, source, volume, now);
  if (onTarget || !world.target) return onTarget ?? waitFor('TargetMissing', 'no target claim');
  return handOver(world, record, source, world.target, volume, now);
}

/**
 * The request is gone, and perhaps its namespace with it: a namespace of that name may belong to others by now, who
 * requested nothing. A target that has the volume was created while the request existed, and keeps it. A request is
 * also not for two volumes: if the source was separated from its volume by force, another claim of its name may have
 * been moved meanwhile.
 */
function isWithdrawn({ request, target }: TransferWorld, record: VolumeRecord, volume: Volume): boolean {
  if (isOpen(request)) return false;
  const { uid } = volume.spec.claimRef ?? {};
  return uid === record.source.uid || (pointsTo(volume, record.target) && uid !== target?.metadata.uid);
}

/**
 * The volume moves only after the source is released, so now no one gets it: it is kept, and everything that was
 * created is removed.
 */
function withdrawLate(world: TransferWorld, record: VolumeRecord, volume: Volume, now: Date): Decision<TransferWorld> {
  const source = world.source?.metadata.uid === record.source.uid ? world.source : undefined;
  // The transfer was completed, and only the record still shows that.
  const isMoved = volume.spec.claimRef?.uid !== record.source.uid;
  const onApproval = isMoved ? approvalUsed(world, now) : undefined;
  if (onApproval) return onApproval;
  // Without the record nothing would lead to a source that no longer has the volume.
  if (source && isFenced(source) && !holds(source, volume)) return patch('source', source, releaseDeleted(source));
  const isDeleted = !world.request || world.request.metadata.deletionTimestamp !== undefined;
  const became = isDeleted ? 'was deleted' : 'was completed with another volume';
  const message = `request ${displayName(record.transfer)} ${became} before claim ${displayName(record.target)} had the volume: volume ${volume.metadata.name} is kept for claim ${displayName(record.source)}`;
  const regarded = source ? [volume, source] : [volume];
  const announce = regarded.map((regarding) => warn(regarding, 'TransferWithdrawn', message));
  return patch('volume', volume, withdrawRecord(record), { announce });
}

/** The volume goes to the target, and all marks are removed. */
function handOver(
  world: TransferWorld,
  record: VolumeRecord,
  source: Claim | undefined,
  target: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> {
  if (volume.spec.claimRef?.uid !== target.metadata.uid)
    return moveClaimRef(world, record, source, volume, target, now);
  // Any change of the claim makes the volume controller bind it at once, if the controller has seen the volume's
  // change: hence not right after it. Otherwise it is bound at the controller's next resync.
  const isOwned = target.metadata.ownerReferences?.some(({ uid }) => uid === record.transfer.uid);
  const onTarget =
    isOwned || !transferredFrom(target)
      ? patch('target', target, recordOrigin(target, record.transfer, record.source))
      : undefined;
  const onSource = approvalUsed(world, now) ?? releaseSourceOf(source);
  // A side that keeps changing its own objects delays only itself, and not the other side.
  const isSourceHeldUp = (['source', 'approval'] as const).some((slot) => world.contended?.includes(slot));
  const next = isSourceHeldUp ? (onTarget ?? onSource) : (onSource ?? onTarget);
  if (next) return next;
  if (target.status?.phase !== 'Bound' || volume.status?.phase !== 'Bound') {
    return waitFor('TargetNotBound', 'the volume controller binds the target claim');
  }
  const message = `has been moved from claim ${displayName(record.source)} to ${displayName(record.target)}`;
  const announce = [
    note(volume, 'Transferred', message),
    note(target, 'Transferred', `has volume ${volume.metadata.name} of claim ${displayName(record.source)}`),
  ];
  return patch('volume', volume, markDone(record), { announce });
}

function releaseSourceOf(source: Claim | undefined): Decision<TransferWorld> | undefined {
  if (!source || !isFenced(source)) return undefined;
  return patch('source', source, source.metadata.deletionTimestamp ? releaseDeleted(source) : removeFence(source));
}

/** Reports on both objects before the record is removed: nothing else would show that the report is missing. */
function conclude(world: TransferWorld, volume: Volume, now: Date): Decision<TransferWorld> {
  const reporting = world.refused?.slot === 'request' ? undefined : completed(world, now);
  return reporting?.do === 'write' ? reporting : patch('volume', volume, removeRecord);
}

/** Deletes the source and waits until nothing uses it. Returns undefined once only our own fence holds it. */
function deleteSource(
  world: TransferWorld,
  { transfer, target }: Course,
  source: Claim,
  volume: Volume,
  now: Date,
): Decision<TransferWorld> | undefined {
  if (!source.metadata.deletionTimestamp) {
    const isFenced = isFencedBy(source, transfer);
    // A stale read may show a record that has been withdrawn since: then the claim belongs to its owner again.
    const unsure = confirm(world, 'volume', volume);
    if (unsure) return unsure;
    return isFenced ? remove('source', source) : patch('source', source, addFence(source, transfer, target));
  }
  const holders = otherFinalizers(source);
  // A claim can be expanded as long as it exists, also after its deletion.
  const change = changeInProgress(source, volume);
  if (change) return blocked(world, change, now, 'Moved');
  if (holders.length === 0) return undefined;
  const held = heldObstacle(source, holders, world.pods);
  return isJustDeleted(source, now) ? held : blocked(world, held, now);
}

/** Only a volume that still belongs to this transfer's source, or to an earlier target of it, is moved. */
function moveClaimRef(
  world: TransferWorld,
  record: VolumeRecord,
  source: Claim | undefined,
  volume: Volume,
  target: Claim,
  now: Date,
): Decision<TransferWorld> {
  const ofTarget = pointsTo(volume, record.target);
  if (volume.spec.claimRef?.uid !== record.source.uid && !ofTarget) return blocked(world, taken(volume), now);
  // A target created after the request was read could be in a recreated namespace of other people.
  if (target.metadata.uid !== world.targetUid) return { do: 'reread', reason: 'RequestOlderThanTarget' };
  // From one target to the next only if this one certainly exists: a stale response would send the volume back to a
  // deleted one.
  const unsure = ofTarget ? confirm(world, 'target', target) : undefined;
  // A stale read may show a source that requests less than now, or one whose driver was not yet changing it.
  const outgrown = source && !ofTarget ? confirm(world, 'source', source) : undefined;
  return unsure ?? outgrown ?? patch('volume', volume, pointTo(target));
}
