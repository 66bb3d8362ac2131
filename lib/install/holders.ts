import type { ObjectMeta } from '../kubernetes/objects.ts';
import type { AnyObject } from './installable.ts';
import { systemNamespace } from './kinds.ts';
import type { ObjectsApi } from './objects-api.ts';

/** What still needs Longshore, and what to do about it. */
export interface Holder {
  what: string;
  /** As `<namespace>/<name>`. */
  names: readonly string[];
  todo: string;
}

interface Found extends AnyObject {
  spec?: Record<string, unknown>;
  status?: { complete?: boolean; phase?: string };
}

const transfers = '/apis/transfer.storage.k8s.io/v1alpha1';
const buckets = '/apis/cosi.io/v1alpha1';
const links = '/apis/snapshot.storage.k8s.io/v1alpha1/volumesnapshotlinks';
const contents = '/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents';
const leases = `/apis/coordination.k8s.io/v1/namespaces/${systemNamespace}/leases`;
const runAgain = 'while Longshore runs';

/** Everything in the cluster that would be stuck or lost without Longshore; nothing of it is changed. */
export async function findHolders(api: ObjectsApi, now: Date): Promise<Holder[]> {
  const list = async (path: string, limit = 500) => (await api.list<Found>(path, { limit: String(limit) })) ?? [];
  const [leased, bucketsFound, ofContents, classes, requests, approvals, linked, copies, claims, volumes] =
    await Promise.all([
      list(leases),
      list(`${buckets}/buckets`),
      list(`${buckets}/bucketcontents`),
      list(`${buckets}/bucketclasses`),
      list(`${transfers}/storagetransferrequests`),
      list(`${transfers}/storagetransferapprovals`),
      list(links),
      list(contents, 200),
      list('/api/v1/persistentvolumeclaims', 200),
      list('/api/v1/persistentvolumes', 200),
    ]);
  const isWithBucket = new Set(bucketsFound.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  const holder = (what: string, found: readonly Found[], todo: string): Holder[] =>
    found.length > 0 ? [{ what, names: found.map(nameOf), todo }] : [];
  return [
    ...holder(
      'Lease that somebody renews',
      leased.filter((lease) => isHeld(lease, now)),
      'stop `longshore run` or the deployment that holds it: kubectl -n longshore-system get leases shows the holder',
    ),
    ...holder(
      'Bucket',
      bucketsFound,
      `delete it ${runAgain}, which revokes its access; longshore bucket delete says whether the data stays`,
    ),
    ...holder(
      'BucketContent without its Bucket',
      ofContents.filter((content) => !isWithBucket.has(bucketOf(content))),
      `see its condition: it is deleted ${runAgain}, or tells what to do`,
    ),
    ...holder('BucketClass', classes, 'delete it when no Bucket uses it any more: kubectl delete bucketclass'),
    ...holder(
      'StorageTransferRequest in progress',
      requests.filter(({ status }) => status?.complete !== true),
      `wait until it is complete, or delete it ${runAgain}, which withdraws it`,
    ),
    ...holder(
      'StorageTransferRequest that is complete',
      requests.filter(({ status }) => status?.complete === true),
      'delete it: it only says what was done',
    ),
    ...holder('StorageTransferApproval', approvals, `delete it ${runAgain}`),
    ...holder(
      'VolumeSnapshotLink',
      linked,
      'delete it when the claims that use it are bound: their volumes do not need it',
    ),
    ...holder(
      'claim that Longshore works on or holds',
      claims.filter(isHeldClaim),
      `its conditions tell what it waits for. Let Longshore finish it, or take its request back ${runAgain}`,
    ),
    ...holder(
      'volume that Longshore keeps',
      volumes.filter(isKeptVolume),
      'its reclaim policy is not its own yet, or it has lost its claim: docs/transfers.md says who may have it',
    ),
    ...holder(
      'VolumeSnapshotContent that is a copy',
      copies.filter(({ metadata }) => metadata.annotations?.['longshore.dev/populates'] !== undefined),
      `it is deleted ${runAgain}, when its claim has been populated`,
    ),
  ];
}

function nameOf({ metadata: { namespace, name } }: Found): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function bucketOf({ spec }: Found): string {
  const { namespace, name } = (spec?.bucketRef ?? {}) as { namespace?: string; name?: string };
  return `${namespace}/${name}`;
}

/** The clocks of the holder and of this machine may differ a little. */
const graceSeconds = 10;

function isHeld({ spec = {} }: Found, now: Date): boolean {
  const { holderIdentity, renewTime, leaseDurationSeconds } = spec;
  if (typeof holderIdentity !== 'string' || holderIdentity === '') return false;
  const renewed = Date.parse(String(renewTime));
  const seconds = typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : 0;
  return renewed + 1_000 * (seconds + graceSeconds) > now.getTime();
}

function isHeldClaim({ metadata, spec, status }: Found): boolean {
  const { annotations = {}, finalizers } = metadata;
  if (Array.isArray(finalizers) && finalizers.some((name) => String(name).startsWith('longshore.dev/'))) return true;
  if (isOfferedOrAccepting(annotations)) return true;
  // Nothing else fills it, and nobody can change its data source.
  return status?.phase === 'Pending' && isOurSource(spec?.dataSourceRef);
}

/** An offered claim may be deleted by its owner at any time: without the policies its volume would go with it. */
function isOfferedOrAccepting({
  transferRequest = '',
  transferAccept = '',
  'pvc.kubernetes.io/transfer-status': status,
}: Record<string, string>): boolean {
  return status === 'pending' || transferRequest !== '' || (transferAccept !== '' && status !== 'complete');
}

function isOurSource(reference: unknown): boolean {
  const { apiGroup, kind } = (reference ?? {}) as { apiGroup?: string; kind?: string };
  return apiGroup === 'longshore.dev' || kind === 'VolumeSnapshotLink';
}

/** Kept for somebody, or on its way with another reclaim policy for the time being. */
export function isKeptVolume({ metadata }: { metadata: Pick<ObjectMeta, 'labels' | 'annotations'> }): boolean {
  const { labels = {}, annotations = {} } = metadata;
  if (labels['longshore.dev/kept'] !== undefined) return true;
  const isDone = annotations['longshore.dev/transfer-done'] === 'true';
  return annotations['longshore.dev/original-reclaim-policy'] !== undefined && !isDone;
}
