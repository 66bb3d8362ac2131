import type { TransferRequest } from '../../lib/cluster/objects.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import { advance } from '../../lib/transfers/advance.ts';
import { consented } from '../../lib/transfers/consent.ts';
import { completed } from '../../lib/transfers/status.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';

/** Matches a request with its approval and, when both agree, carries the transfer to its point of no return. */
export function decide(world: TransferWorld, now: Date): Decision {
  const { request } = world;
  if (!request) return { do: 'done', reason: 'RequestGone' };
  if (request.status?.complete) return tellApproval(world, request, now);
  // What a withdrawn request has begun is taken back by the volume's own key, which the fence leads to.
  if (request.metadata.deletionTimestamp) return { do: 'done', reason: 'RequestDeleted' };
  return advance(world, request, now);
}

/** Only the approval that the request was about; one that differs agrees to something else. */
function tellApproval(world: TransferWorld, request: TransferRequest, now: Date): Decision {
  const matching = consented(request, world.approval);
  return matching ? completed(world, now) : { do: 'done', reason: 'Complete' };
}
