import type { Decision } from '../../../../reconcile/step.ts';
import { counterpartObstacle } from '../../by-request/consent.ts';
import { blockedApproval, updateDerived } from '../../by-request/status.ts';
import { hasExpired } from '../../by-request/ttl-after-finished.ts';
import type { TransferWorld } from '../../world.ts';
import { remove } from '../../writes.ts';

/** Reports on the approval what the other side lacks. Once the two match, the request's key does everything else. */
export function decide(world: TransferWorld, now: Date): Decision<TransferWorld> {
  const { approval, request } = world;
  if (!approval || approval.metadata.deletionTimestamp) return { do: 'done', reason: 'ApprovalGone' };
  if (hasExpired(approval, now)) return remove('approval', approval);
  if (approval.status?.complete) return updateDerived('approval', approval, now) ?? { do: 'done', reason: 'Complete' };
  const obstacle = counterpartObstacle(approval, request);
  return obstacle ? blockedApproval(world, obstacle, now) : { do: 'done', reason: 'Matched' };
}
