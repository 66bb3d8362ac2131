import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Claim, TransferRequest } from '../../../../kubernetes/objects.ts';
import { identityOf, type Place, sameIdentity } from '../../../../kubernetes/places.ts';
import type { Key } from '../../../../kubernetes/resources.ts';
import { readSettings } from '../../../settings.ts';
import { transferredBy } from '../../by-request/claim-marks.ts';
import { isUsed, requestObstacle } from '../../by-request/consent.ts';
import { courseOf } from '../../by-request/course.ts';
import { recordFor } from '../../by-request/volume-marks.ts';
import { readAgreement, readApproval, readClaim, readPodsUsing, readRequest, readVolume } from '../../read.ts';
import type { TransferWorld } from '../../world.ts';

/**
 * Reads the objects that a request names: its approval, the two claims, and the volume of the claim that is part of the
 * transfer.
 */
export async function read(cluster: Cluster, key: Key, now: Date): Promise<TransferWorld> {
  const request = await readRequest(cluster, { namespace: key.namespace ?? '', name: key.name });
  const nothing = { request, pods: [], readAt: now };
  if (!request || requestObstacle(request)) return nothing;
  if (!request.status?.complete) return readNamed(cluster, request, now);
  const course = courseOf(request);
  const [approval, target] = await Promise.all([
    readApproval(cluster, approvalPlace(request)),
    readClaim(cluster, course.target),
  ]);
  // An approval that names a claim which is still there is for a later transfer.
  const isOpen = approval !== undefined && !isUsed(approval) && approval.spec.source.uid !== undefined;
  const source = isOpen ? await readClaim(cluster, course.source) : undefined;
  return { ...nothing, approval, source, target };
}

async function readNamed(cluster: Cluster, request: TransferRequest, now: Date): Promise<TransferWorld> {
  const course = courseOf(request);
  const reading = readClaim(cluster, course.source);
  const [agreement, settings, source, target] = await Promise.all([
    readAgreement(cluster, request, reading),
    readSettings(cluster),
    reading,
    readClaim(cluster, course.target),
  ]);
  const by = transferredBy(target);
  // Once the target exists it knows the volume best: the source's name may belong to a new claim by now.
  const ofTarget = by && sameIdentity(by, identityOf(request)) ? target?.spec.volumeName : undefined;
  const isAgreed = agreement.approval !== undefined || (agreement.grants ?? []).length > 0;
  const [volume, recent] = await Promise.all([
    ofTarget ? readVolume(cluster, ofTarget) : readVolumeOf(cluster, request, source),
    // A pod that starts right after this read uses the claim all the same: then the claim's deletion waits for the pod.
    readPodsUsing(cluster, isAgreed || ofTarget ? course.source : undefined, 'recent'),
  ]);
  const world = { request, ...agreement, settings, source, target, volume, readAt: now };
  // Before a volume is moved, it must be certain that no one has it mounted any more.
  if (recordFor(request, volume)) {
    const [pods, again] = await Promise.all([
      readPodsUsing(cluster, course.source),
      readRequest(cluster, course.transfer),
    ]);
    // Only for the same request, its namespace is still the one in which the target was read.
    const same = again?.metadata.uid === request.metadata.uid ? again : undefined;
    return { ...world, request: same, targetUid: target?.metadata.uid, pods };
  }
  return { ...world, pods: recent, arePodsRecent: true };
}

/** The volume that the request has begun to move, or otherwise the source's present one. */
async function readVolumeOf(cluster: Cluster, request: TransferRequest, source: Claim | undefined) {
  const begun = await readVolume(cluster, request.status?.volumeName);
  if (recordFor(request, begun)) return begun;
  const name = source?.spec.volumeName;
  return name === begun?.metadata.name ? begun : readVolume(cluster, name);
}

function approvalPlace({ spec }: TransferRequest): Place {
  return { namespace: spec.source.namespace, name: spec.approvalName ?? '' };
}
