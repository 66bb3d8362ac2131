import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { readNamespace } from '../../../../kubernetes/namespace-consent.ts';
import type { Claim, TransferRequest, Volume } from '../../../../kubernetes/objects.ts';
import { type Identity, type Place, placeOf } from '../../../../kubernetes/places.ts';
import type { Key } from '../../../../kubernetes/resources.ts';
import { readSettings } from '../../../settings.ts';
import { isOffered } from '../../by-annotation/claim-marks.ts';
import { readOffer, readOffered } from '../../by-annotation/read.ts';
import { offerOn, unfencingOn } from '../../by-annotation/volume-marks.ts';
import { fencedFor, fenceOf, isFenced, type TransferIdentity, transferredBy } from '../../by-request/claim-marks.ts';
import { isOpen } from '../../by-request/consent.ts';
import { courseOf } from '../../by-request/course.ts';
import { recordOf, undoingOf, undoneTarget, type VolumeRecord } from '../../by-request/volume-marks.ts';
import { keptOn } from '../../kept-volume.ts';
import { holds, readAgreement, readApproval, readClaim, readPodsUsing, readRequest, readVolume } from '../../read.ts';
import type { TransferWorld } from '../../world.ts';

/** Reads the objects of a volume's transfer: from the record on it, or without one from the claim that holds it. */
export async function read(cluster: Cluster, key: Key, now: Date): Promise<TransferWorld> {
  const volume = await readVolume(cluster, key.name);
  const record = recordOf(volume);
  if (!volume) return { pods: [], readAt: now };
  if (record) return readRecorded(cluster, volume, record, now);
  if (undoingOf(volume)) return readHeld(cluster, volume, now);
  const offer = offerOn(volume);
  if (offer) return readOffer(cluster, volume, offer, now);
  const unfencing = unfencingOn(volume);
  return unfencing ? readUnfencing(cluster, volume, unfencing.source, now) : readHeld(cluster, volume, now);
}

/** The fence of an offer was being removed when a worker was interrupted: the claim may still exist, or be gone. */
async function readUnfencing(cluster: Cluster, volume: Volume, of: Identity, now: Date): Promise<TransferWorld> {
  const source = await readClaim(cluster, of);
  return source?.metadata.uid === of.uid ? readOffered(cluster, source, now) : { volume, pods: [], readAt: now };
}

async function readRecorded(cluster: Cluster, volume: Volume, record: VolumeRecord, now: Date): Promise<TransferWorld> {
  // Once the volume has left the source, no one can mount it there any more.
  const isHeld = volume.spec.claimRef?.uid === record.source.uid;
  const [source, [target, request], approval, pods, settings] = await Promise.all([
    readClaim(cluster, record.source),
    readTarget(cluster, record),
    readApproval(cluster, { namespace: record.source.namespace, name: record.approval }),
    readPodsUsing(cluster, isHeld ? record.source : undefined),
    readSettings(cluster),
  ]);
  // After a rollback the volume may stay in its namespace, unless that is being deleted.
  const sourceNamespace = isOpen(request) ? undefined : await readNamespace(cluster, record.source.namespace);
  const targetUid = target?.metadata.uid;
  return { volume, source, target, targetUid, request, approval, sourceNamespace, settings, pods, readAt: now };
}

/**
 * In this order: a target that exists before the request is read is in the request's own namespace, and not in one that
 * others have created under the same name.
 */
async function readTarget(cluster: Cluster, record: VolumeRecord) {
  const target = await readClaim(cluster, record.target);
  return [target, await readSameRequest(cluster, record.transfer)] as const;
}

/** Before the record is written the source holds the volume; after it is removed the target does. */
async function readHeld(cluster: Cluster, volume: Volume, now: Date): Promise<TransferWorld> {
  const { claimRef } = volume.spec;
  const held = await readClaim(cluster, placeOfReference(claimRef));
  const holder = holds(held, volume) ? held : undefined;
  if (!holder) return readUnheld(cluster, volume, held, now);
  const undoing = undoingOf(volume);
  if (isOffered(holder) && !undoing) return readOffered(cluster, holder, now);
  const fence = fenceOf(holder);
  const transfer = undoing ?? fence ?? transferredBy(holder);
  if (isFenced(holder) && !fence) return { volume, source: holder, pods: [], readAt: now };
  if (!transfer) return { volume, pods: [], readAt: now };
  const found = await readSameRequest(cluster, transfer);
  // Users can write marks on their own claims: a mark counts only if the request that it names also names the claim.
  const isSource = fence !== undefined || undoing !== undefined;
  const request = found && names(found, isSource ? 'source' : 'target', holder) ? found : undefined;
  const { source } = request?.spec ?? {};
  // The fence, or the mark of a rollback, shows the claim's destination if the request, which takes precedence, is
  // gone.
  const destination = (request && courseOf(request).target) ?? undoneTarget(volume) ?? fencedFor(holder);
  const other = isSource ? destination : source;
  const reading = readClaim(cluster, other);
  const [counterpart, sourceNamespace, agreement, settings, pods] = await Promise.all([
    reading,
    isSource && !request ? readNamespace(cluster, holder.metadata.namespace) : undefined,
    readAgreement(cluster, request, isSource ? Promise.resolve(holder) : reading),
    readSettings(cluster),
    readPodsUsing(cluster, fence && placeOf(holder), 'recent'),
  ]);
  const claims: { source?: Claim | undefined; target?: Claim | undefined } = isSource
    ? { source: holder, target: counterpart }
    : { source: counterpart, target: holder };
  const consents = { request, sourceNamespace, ...agreement };
  return { volume, ...claims, ...consents, settings, pods, arePodsRecent: true, readAt: now };
}

/** A claim of the holder's name that is not the holder can only be a target that a delayed worker recreated. */
async function readUnheld(
  cluster: Cluster,
  volume: Volume,
  held: Claim | undefined,
  now: Date,
): Promise<TransferWorld> {
  const sourceNamespace = await readNamespace(cluster, keptOn(volume)?.owner.namespace);
  return { volume, target: held, sourceNamespace, pods: [], readAt: now };
}

function names(request: TransferRequest, part: 'source' | 'target', claim: Claim): boolean {
  const course = courseOf(request);
  return course[part].namespace === claim.metadata.namespace && course[part].name === claim.metadata.name;
}

/** A request that was deleted and recreated under the same name is a different request. */
async function readSameRequest(cluster: Cluster, transfer: TransferIdentity) {
  const request = await readRequest(cluster, transfer);
  return request?.metadata.uid === transfer.uid ? request : undefined;
}

function placeOfReference(reference: Volume['spec']['claimRef']): Place | undefined {
  return reference?.namespace && reference.name ? { namespace: reference.namespace, name: reference.name } : undefined;
}
