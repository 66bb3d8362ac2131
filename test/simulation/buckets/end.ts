import { conditionOf } from '../../../lib/capabilities/buckets/bucket-status.ts';
import { reasonOf } from '../../../lib/capabilities/buckets/content-status.ts';
import { contentNameOf } from '../../../lib/capabilities/buckets/names.ts';
import type { Bucket, BucketContent } from '../../../lib/capabilities/buckets/objects.ts';
import { decode, isReferring } from '../../../lib/capabilities/buckets/secrets.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { GatedStore } from './gated-store.ts';
import { driverName, identity, isForTeamAlone, oldBucket, theirs } from './objects.ts';
import type { BucketScenario } from './scenario.ts';

/** What must be true in the end, when nothing moves any more and no obstacle is left. */
export function checkEnd(cluster: FakeCluster, { store }: GatedStore, scenario: BucketScenario): void {
  const contents = cluster.all(resources.bucketContent);
  const registration = cluster.read(nameOf(resources.registration, undefined, driverName));
  if (scenario.wish !== 'static' && registration?.spec.identity !== identity)
    throw new Violation('the driver is not registered');
  for (const bucket of cluster.all(resources.bucket)) checkBucket(cluster, bucket, contents, scenario);
  for (const content of contents) checkContent(cluster, content, scenario);
  if (store.bucket(oldBucket) === undefined) throw new Violation('the bucket that was there before is gone');
  checkStore(cluster, store, scenario, contents);
}

function checkBucket(
  cluster: FakeCluster,
  bucket: Bucket,
  contents: BucketContent[],
  { successor, wish, isGuestServed }: BucketScenario,
): void {
  const name = `Bucket ${bucket.metadata.name}`;
  const content = contents.find(({ metadata }) => metadata.name === contentNameOf(bucket));
  if (bucket.metadata.deletionTimestamp) {
    if (isGuestServed && content && reasonOf(content) === 'SharedWithOthers') return;
    throw new Violation(`${name} is deleted, but does not go`);
  }
  if (!content && isForTeamAlone(wish) && successor.isStranger) {
    checkRefused(bucket);
    return;
  }
  if (!content) throw new Violation(`${name} has no content`);
  if (content.metadata.deletionTimestamp) {
    checkCopyOf(cluster, bucket, content);
    return;
  }
  if (bucket.status?.phase !== 'Bound' || conditionOf(bucket, 'Bound')?.status !== 'True') {
    throw new Violation(`${name} is not bound: ${JSON.stringify(bucket.status)} ${JSON.stringify(content.status)}`);
  }
  if (content.status?.phase !== 'Bound')
    throw new Violation(`${name} is bound, its content is ${content.status?.phase}`);
  checkSecrets(cluster, bucket, content);
}

function checkSecrets(cluster: FakeCluster, bucket: Bucket, content: BucketContent): void {
  const { namespace, name } = content.spec.secretRef ?? {};
  const source = cluster.read(nameOf(resources.secret, namespace, name ?? 'none'));
  const copy = cluster.read(nameOf(resources.secret, bucket.metadata.namespace, bucket.spec.secretName));
  if (!source?.data || !copy?.data)
    throw new Violation(`Bucket ${bucket.metadata.name} is bound, but a Secret is missing`);
  if (JSON.stringify(sorted(source.data)) !== JSON.stringify(sorted(copy.data))) {
    throw new Violation(`Secret ${copy.metadata.name} is not what it is to be`);
  }
  if (!isReferring(copy, bucket.metadata.uid ?? '')) throw new Violation(`Secret ${copy.metadata.name} has no owner`);
}

function checkRefused(bucket: Bucket): void {
  const { reason } = conditionOf(bucket, 'Bound') ?? {};
  if (reason !== 'ClassNotForNamespace')
    throw new Violation(`Bucket ${bucket.metadata.name} is not told why: ${reason}`);
}

/** Somebody has deleted the content: until its Bucket goes, what the workload has is kept as it was. */
function checkCopyOf(cluster: FakeCluster, bucket: Bucket, content: BucketContent): void {
  const { secretRef } = content.spec;
  if (!secretRef || content.status?.phase !== 'Bound') return;
  const source = cluster.read(nameOf(resources.secret, secretRef.namespace, secretRef.name));
  if (source?.data) checkSecrets(cluster, bucket, content);
}

function sorted(data: Record<string, string>): [string, string][] {
  return Object.entries(data).sort(([one], [other]) => one.localeCompare(other));
}

/** A content without its Bucket waits for a person, and says so. */
function checkContent(cluster: FakeCluster, content: BucketContent, { wasForced }: BucketScenario): void {
  const { bucketRef } = content.spec;
  const bucket = cluster.read(nameOf(resources.bucket, bucketRef.namespace, bucketRef.name));
  if (bucket?.metadata.uid === bucketRef.uuid) return;
  if (!wasForced || !isLost(content)) throw new Violation(`BucketContent ${content.metadata.name} is left over`);
}

function isLost({ status }: BucketContent): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'BucketLost') ?? false;
}

/** Each key is in a Secret, each user and each bucket is somebody's. */
function checkStore(
  cluster: FakeCluster,
  store: GatedStore['store'],
  { wish }: BucketScenario,
  contents: BucketContent[],
): void {
  const owners = contents.map(({ spec }) => spec.bucketRef.uuid.replaceAll('-', ''));
  const held = cluster.all(resources.secret).map(decode);
  for (const { id, secret, user, policies } of store.liveKeys.filter(({ user }) => user !== theirs.user)) {
    const isHeld = held.some((each) => each.AWS_ACCESS_KEY_ID === id && each.AWS_SECRET_ACCESS_KEY === secret);
    // What was under way when somebody used force, or deleted the content, is taken back when the content may go.
    const isWaiting = contents.some((each) => {
      const isStuck = isLost(each) || each.metadata.deletionTimestamp !== undefined;
      return isStuck && user.endsWith(each.spec.bucketRef.uuid.replaceAll('-', ''));
    });
    if (!isHeld && !isWaiting) throw new Violation(`a key of ${user} lives that no Secret holds`);
    const buckets = contents.filter(({ spec }) => user.endsWith(spec.bucketRef.uuid.replaceAll('-', '')));
    const isNarrow = policies.every((policy) =>
      buckets.some(({ spec }) => policy.includes(`${spec.bucketIdentifier}`)),
    );
    if (!isNarrow) throw new Violation(`${user} may do what its bucket does not need`);
  }
  for (const { name } of store.users.filter((each) => each.name !== theirs.user)) {
    if (!owners.some((owner) => name.endsWith(owner))) throw new Violation(`user ${name} is left over`);
  }
  for (const { name } of store.buckets) {
    const isSomebodys = owners.some((owner) => name.endsWith(owner)) || name === oldBucket || name === theirs.bucket;
    if (!isSomebodys && wish !== 'retained') throw new Violation(`bucket ${name} is left over`);
  }
}
