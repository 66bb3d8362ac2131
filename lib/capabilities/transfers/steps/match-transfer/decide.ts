import type { TransferRequest } from '../../../../kubernetes/objects.ts';
import { identityOf, placeOf, sameIdentity } from '../../../../kubernetes/places.ts';
import { displayName } from '../../../../kubernetes/resources.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { advance, orphanOf } from '../../by-request/advance.ts';
import { isForPresentClaim } from '../../by-request/approved-claim.ts';
import { transferredBy, transferredFrom } from '../../by-request/claim-marks.ts';
import { isUsed, matches } from '../../by-request/consent.ts';
import { finish } from '../../by-request/finish.ts';
import { blocked, blockedApproval, completed, refusedObstacle, updateDerived } from '../../by-request/status.ts';
import { hasExpired } from '../../by-request/ttl-after-finished.ts';
import { recordFor, undoingOf } from '../../by-request/volume-marks.ts';
import type { TransferWorld } from '../../world.ts';
import { remove } from '../../writes.ts';

/** Matches a request with its approval and, when both agree, carries the transfer to its point of no return. */
export function decide(found: TransferWorld, now: Date): Decision<TransferWorld> {
  const world: TransferWorld = { ...found, isOfRequest: true };
  const { request } = world;
  if (!request) return { do: 'done', reason: 'RequestGone' };
  const { volume } = world;
  const refused = refusedObstacle(world);
  // A refusal of the target does not prevent the release of the source.
  const isOnlyTarget = undoingOf(volume) !== undefined && world.refused?.slot === 'target';
  if (refused && !isOnlyTarget) return blocked(world, refused, now);
  const record = recordFor(request, volume);
  if (volume && record) return finish(world, record, volume, now);
  if (request.status?.complete) return cleanUp(world, request, now);
  // The volume's own key, to which the fence leads, rolls back what a withdrawn request has begun.
  if (request.metadata.deletionTimestamp) return { do: 'done', reason: 'RequestDeleted' };
  return advance(world, request, now);
}

/**
 * Possible events after the end: an approval that was recreated, a target that a delayed worker recreated, or expiry.
 */
function cleanUp(world: TransferWorld, request: TransferRequest, now: Date): Decision<TransferWorld> {
  const orphan = orphanOf(world, identityOf(request));
  if (orphan) return remove('target', orphan);
  const reporting = matches(request, world.approval) ? reportToApproval(world, request, now) : undefined;
  if (reporting?.do === 'write') return reporting;
  const done = { do: 'done', reason: 'Complete' } as const;
  if (request.metadata.deletionTimestamp) return done;
  return hasExpired(request, now) ? remove('request', request) : (updateDerived('request', request, now) ?? done);
}

/** A recreated approval counts as used if the target proves the transfer: a request's owner can write its status. */
function reportToApproval(world: TransferWorld, request: TransferRequest, now: Date): Decision<TransferWorld> {
  const by = transferredBy(world.target);
  const isShown =
    by !== undefined && sameIdentity(by, identityOf(request)) && transferredFrom(world.target) !== undefined;
  const { approval, source } = world;
  if (approval && source && !isUsed(approval) && isForPresentClaim(approval, source)) {
    const message = `request ${displayName(request.metadata)} is complete and moved an earlier claim. This approval is for the present claim ${displayName(placeOf(source))}, which is not moved, and is not used. Delete the approval, unless it is meant for a later request of that name`;
    return blockedApproval(world, waitFor('RequestComplete', message), now);
  }
  // The report of the transfer stays: the claim may have been read before it had its volume.
  if (isShown || (world.approval && isUsed(world.approval))) return completed(world, now);
  const message = `request ${displayName(request.metadata)} says that it is complete, but the claim that it would have created does not exist. Nothing is moved, and this approval is not used. Delete the approval, unless it is meant for a later request of that name`;
  return blockedApproval(world, waitFor('RequestComplete', message), now);
}
