import type { Claim, Volume } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { isByAnnotation, proceed } from '../../by-annotation/sequence.ts';
import { advance, orphanOf } from '../../by-request/advance.ts';
import { fenceOf, isFenced, removeFence, transferredBy } from '../../by-request/claim-marks.ts';
import { consented } from '../../by-request/consent.ts';
import { finish } from '../../by-request/finish.ts';
import { blocked, refusedObstacle } from '../../by-request/status.ts';
import { undo } from '../../by-request/undo.ts';
import { recordOf, undoingOf } from '../../by-request/volume-marks.ts';
import { holds } from '../../read.ts';
import type { TransferWorld } from '../../world.ts';
import { isHeldUp, patch, remove } from '../../writes.ts';

/**
 * Continues whatever transfer a volume is part of: forward while both sides want it or can no longer go back, otherwise
 * back.
 */
export function decide(world: TransferWorld, now: Date): Decision<TransferWorld> {
  const { volume } = world;
  if (!volume) return { do: 'done', reason: 'VolumeGone' };
  // A request whose transfer is rolled back may leave an offer behind, for afterwards.
  const isByRequest = recordOf(volume) !== undefined || undoingOf(volume) !== undefined;
  return !isByRequest && isByAnnotation(world) ? proceed(world, now) : carryOn(world, volume, now);
}

/** A transfer by request that is recorded on the volume, or that the claim with the volume has begun. */
function carryOn(world: TransferWorld, volume: Volume, now: Date): Decision<TransferWorld> {
  const { request, source, target } = world;
  const undoing = undoingOf(volume);
  const refused = refusedObstacle(world);
  // A refusal of the target does not prevent the release of the source.
  const isOnlyTarget = undoing !== undefined && world.refused?.slot === 'target';
  if (refused && !isOnlyTarget) return blocked(world, refused, now);
  const record = recordOf(volume);
  // The record is on the volume, where no user can write: it takes precedence over everything else.
  if (record) return finish(world, record, volume, now);
  if (undoing) return undo(world, undoing, volume, now);
  const orphan = orphanedTarget(world);
  if (orphan && !isHeldUp(world, 'target')) return remove('target', orphan);
  // Only of the claim that has the volume; any other claim's fence is about another volume.
  const isHolder = holds(source, volume);
  const fence = isHolder ? fenceOf(source) : undefined;
  // Someone has removed the annotation that names the fence's transfer: the fence would hold the claim for ever.
  if (source && !fence && isHolder && isFenced(source)) return patch('source', source, removeFence(source));
  if (!fence && !target) return { do: 'done', reason: 'NoTransfer' };
  const isOver = request?.status?.complete === true;
  // A claim that its owner has deleted waits while transfers are switched off, and is not released because of that.
  const consents = source?.metadata.deletionTimestamp ? { ...world, settings: undefined } : world;
  if (fence && (isOver || !consented(request, consents))) return undo(world, fence, volume, now);
  if (isOver) return { do: 'done', reason: 'Complete' };
  return request ? advance(world, request, now) : { do: 'done', reason: 'NoTransfer' };
}

/** A target under the holder's name that the volume does not belong to. */
function orphanedTarget(world: TransferWorld): Claim | undefined {
  const { target, volume } = world;
  const transfer = transferredBy(target);
  if (!target || !volume || !transfer || holds(target, volume)) return undefined;
  const isInPlace =
    volume.spec.claimRef?.namespace === target.metadata.namespace &&
    volume.spec.claimRef?.name === target.metadata.name;
  return isInPlace && target.spec.volumeName === volume.metadata.name ? orphanOf(world, transfer) : undefined;
}
