import type { TransferRequest } from '../../lib/cluster/objects.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import { advance, orphanOf } from '../../lib/transfers/advance.ts';
import { consented } from '../../lib/transfers/consent.ts';
import { finish } from '../../lib/transfers/finish.ts';
import { identityOf, recordOf, sameTransfer } from '../../lib/transfers/marks.ts';
import { blocked, completed, refusedBlocker } from '../../lib/transfers/status.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { remove } from '../../lib/transfers/writes.ts';

/** Matches a request with its approval and, when both agree, carries the transfer to its point of no return. */
export function decide(world: TransferWorld, now: Date): Decision {
  const { request } = world;
  if (!request) return { do: 'done', reason: 'RequestGone' };
  const refused = refusedBlocker(world);
  if (refused) return blocked(world, refused, now);
  const { volume } = world;
  const record = recordOf(volume);
  if (volume && record && sameTransfer(record.transfer, identityOf(request))) return finish(world, record, volume, now);
  if (request.status?.complete) return cleanUp(world, request, now);
  // What a withdrawn request has begun is taken back by the volume's own key, which the fence leads to.
  if (request.metadata.deletionTimestamp) return { do: 'done', reason: 'RequestDeleted' };
  return advance(world, request, now);
}

/** What may come after the end: an approval that was given once more, or a target that a delayed worker made once more. */
function cleanUp(world: TransferWorld, request: TransferRequest, now: Date): Decision {
  const orphan = orphanOf(world, identityOf(request));
  if (orphan) return remove('target', orphan);
  return consented(request, world.approval) ? completed(world, now) : { do: 'done', reason: 'Complete' };
}
