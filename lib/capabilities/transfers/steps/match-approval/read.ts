import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Key } from '../../../../kubernetes/resources.ts';
import { readApproval, readRequest } from '../../read.ts';
import type { TransferWorld } from '../../world.ts';

/** Reads an approval and the request that it names. */
export async function read(cluster: Cluster, { namespace = '', name }: Key, now: Date): Promise<TransferWorld> {
  const approval = await readApproval(cluster, { namespace, name });
  const { targetNamespace, requestName } = approval?.spec ?? {};
  const isOver = !approval || approval.status?.complete;
  const place = isOver ? undefined : { namespace: targetNamespace ?? '', name: requestName ?? '' };
  return { approval, request: await readRequest(cluster, place), pods: [], readAt: now };
}
