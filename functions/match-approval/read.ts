import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Key } from '../../lib/cluster/resources.ts';
import { readApproval, readRequest, type TransferWorld } from '../../lib/transfers/world.ts';

/** Reads an approval and the request that it names. */
export async function read(cluster: Cluster, { namespace = '', name }: Key, now: Date): Promise<TransferWorld> {
  const approval = await readApproval(cluster, { namespace, name });
  const { targetNamespace, requestName } = approval?.spec ?? {};
  const isOver = !approval || approval.status?.complete;
  const place = isOver ? undefined : { namespace: targetNamespace ?? '', name: requestName ?? '' };
  return { approval, request: await readRequest(cluster, place), pods: [], readAt: now };
}
