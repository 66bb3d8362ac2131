import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { TransferRequest } from '../../lib/cluster/objects.ts';
import type { Key } from '../../lib/cluster/resources.ts';
import { requestBlocker } from '../../lib/transfers/consent.ts';
import { courseOf } from '../../lib/transfers/course.ts';
import { identityOf, type Place, sameTransfer, transferredBy } from '../../lib/transfers/marks.ts';
import {
  readApproval,
  readClaim,
  readPodsUsing,
  readRequest,
  readVolume,
  type TransferWorld,
} from '../../lib/transfers/world.ts';

/** Reads what a request names: its approval, the two claims, and the volume of whichever claim is part of the transfer. */
export async function read(cluster: Cluster, key: Key, now: Date): Promise<TransferWorld> {
  const request = await readRequest(cluster, { namespace: key.namespace ?? '', name: key.name });
  const nothing = { request, pods: [], readAt: now };
  if (!request || requestBlocker(request)) return nothing;
  if (!request.status?.complete) return readNamed(cluster, request, now);
  const [approval, target] = await Promise.all([
    readApproval(cluster, approvalPlace(request)),
    readClaim(cluster, courseOf(request).target),
  ]);
  return { ...nothing, approval, target };
}

async function readNamed(cluster: Cluster, request: TransferRequest, now: Date): Promise<TransferWorld> {
  const course = courseOf(request);
  const [approval, source, target] = await Promise.all([
    readApproval(cluster, approvalPlace(request)),
    readClaim(cluster, course.source),
    readClaim(cluster, course.target),
  ]);
  const by = transferredBy(target);
  // Once the target is there it knows the volume best: the source's name may belong to a new claim by now.
  const ofTarget = by && sameTransfer(by, identityOf(request)) ? target?.spec.volumeName : undefined;
  const [volume, pods] = await Promise.all([
    readVolume(cluster, ofTarget ?? source?.spec.volumeName),
    readPodsUsing(cluster, approval || ofTarget ? course.source : undefined),
  ]);
  return { request, approval, source, target, volume, pods, readAt: now };
}

function approvalPlace({ spec }: TransferRequest): Place {
  return { namespace: spec.source.namespace, name: spec.approvalName };
}
