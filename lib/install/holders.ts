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
  /** What to type for each of them, where that can be said. */
  commands?: readonly (readonly string[])[];
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
  const holder = (what: string, found: readonly Found[], todo: string, command?: CommandFor): Holder[] =>
    found.length > 0
      ? [{ what, names: found.map(nameOf), todo, ...(command ? { commands: found.map(command) } : {}) }]
      : [];
  return [
    ...holder(
      'Bucket',
      bucketsFound,
      `delete it ${runAgain}, which revokes its access; the command says whether the data stays`,
      ({ metadata: { namespace = '', name } }) => ['longshore', 'bucket', 'delete', name, '-n', namespace, '--wait'],
    ),
    ...holder(
      'BucketContent without its Bucket',
      ofContents.filter((content) => !isWithBucket.has(bucketOf(content))),
      `see its condition: it is deleted ${runAgain}, or tells what to do`,
    ),
    ...holder('BucketClass', classes, 'delete it when no Bucket uses it any more', deleting('bucketclass')),
    ...holder(
      'StorageTransferRequest in progress',
      requests.filter(({ status }) => status?.complete !== true),
      `wait until it is complete, or delete it ${runAgain}, which withdraws it`,
      deleting('streq'),
    ),
    ...holder(
      'StorageTransferRequest that is complete',
      requests.filter(({ status }) => status?.complete === true),
      'delete it: it only says what was done',
      deleting('streq'),
    ),
    ...holder('StorageTransferApproval', approvals, `delete it ${runAgain}`, deleting('stappr')),
    ...holder(
      'VolumeSnapshotLink',
      linked,
      'delete it when the claims that use it are bound: their volumes do not need it',
      deleting('volumesnapshotlink'),
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
    // The last: most of the others need Longshore for what is to be done about them.
    ...holder(
      'Lease that somebody renews',
      leased.filter((lease) => isHeld(lease, now)),
      'after everything else, stop `longshore run` or the deployment that holds it: kubectl -n longshore-system get leases shows the holder',
    ),
  ];
}

type CommandFor = (object: Found) => readonly string[];

function deleting(type: string): CommandFor {
  return ({ metadata: { namespace, name } }) => [
    ...['kubectl', 'delete', `${type}/${name}`],
    ...(namespace === undefined ? [] : ['-n', namespace]),
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
