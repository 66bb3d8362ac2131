import type { TransferRequest } from '../../../../kubernetes/objects.ts';
import { identityOf, sameIdentity } from '../../../../kubernetes/places.ts';
import { displayName } from '../../../../kubernetes/resources.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { advance, orphanOf } from '../../by-request/advance.ts';
import { transferredBy, transferredFrom } from '../../by-request/claim-marks.ts';
import { isUsed, matches } from '../../by-request/consent.ts';
import { hasExpired } from '../../by-request/expiry.ts';
import { finish } from '../../by-request/finish.ts';
import { blocked, blockedApproval, completed, refusedObstacle } from '../../by-request/status.ts';
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
  // What is refused to the target does not keep the source from being let go.
  const isOnlyTarget = undoingOf(volume) !== undefined && world.refused?.slot === 'target';
  if (refused && !isOnlyTarget) return blocked(world, refused, now);
  const record = recordFor(request, volume);
  if (volume && record) return finish(world, record, volume, now);
  if (request.status?.complete) return cleanUp(world, request, now);
  // What a withdrawn request has begun is taken back by the volume's own key, which the fence leads to.
  if (request.metadata.deletionTimestamp) return { do: 'done', reason: 'RequestDeleted' };
  return advance(world, request, now);
}

/** What may come after the end: an approval that was given once more, a target that a delayed worker made once more, or time. */
function cleanUp(world: TransferWorld, request: TransferRequest, now: Date): Decision<TransferWorld> {
  const orphan = orphanOf(world, identityOf(request));
  if (orphan) return remove('target', orphan);
  const telling = matches(request, world.approval) ? tellApproval(world, request, now) : undefined;
  if (telling?.do === 'write') return telling;
  return hasExpired(request, now) && !request.metadata.deletionTimestamp
    ? remove('request', request)
    : { do: 'done', reason: 'Complete' };
}

/** An approval that was given once more has been used, if the transfer was made: a status can be written by its owner. */
function tellApproval(world: TransferWorld, request: TransferRequest, now: Date): Decision<TransferWorld> {
  const by = transferredBy(world.target);
  const isShown =
    by !== undefined && sameIdentity(by, identityOf(request)) && transferredFrom(world.target) !== undefined;
  // What was said of it when the transfer was made stays: the claim may have been read before it had its volume.
  if (isShown || (world.approval && isUsed(world.approval))) return completed(world, now);
  const message = `request ${displayName(request.metadata)} says that it is complete, but the claim that it would have created does not exist. Nothing is moved, and this approval is not used. Delete the approval, unless it is meant for a later request of that name`;
  return blockedApproval(world, waitFor('RequestComplete', message), now);
}
