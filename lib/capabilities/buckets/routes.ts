import type { Secret } from '../../kubernetes/objects.ts';
import { isOf } from '../../kubernetes/of-kind.ts';
import { displayName, resources } from '../../kubernetes/resources.ts';
import type { Change, Reconsidered, Route } from '../../reconcile/routing.ts';
import type { BucketIndex } from './bucket-index.ts';
import { silent } from './indexed.ts';
import { contentNameOf } from './names.ts';
import type { Bucket, BucketClass, BucketContent } from './objects.ts';
import {
  bucketNow,
  classNow,
  contentNow,
  toBinding,
  toContent,
  toCopying,
  toRegistration,
  workOfBucket,
  workOfClass,
  workOfContent,
  workOfRegistration,
} from './work.ts';

export function routesOf(change: Change, index: BucketIndex): Route[] {
  const name = displayName(change.object.metadata);
  if (isOf(change, resources.bucket)) return routesOfBucket(change, change.object, name, index);
  if (isOf(change, resources.bucketContent)) return routesOfContent(change, change.object, name, index);
  if (isOf(change, resources.bucketClass)) return routesOfClass(change, change.object, index);
  if (isOf(change, resources.registration)) return routesOfRegistration(change, name, index);
  return isOf(change, resources.secret) ? routesOfSecret(change, change.object, name, index) : [];
}

/** A Bucket and its content are finished together, and not without their Secrets; a class, with its driver. */
export function reconsider(change: Change, index: BucketIndex): Reconsidered[] {
  const name = displayName(change.object.metadata);
  if (isOf(change, resources.bucket)) {
    const content = index.contentOfNoted(name);
    return content === undefined ? [] : [contentNow(content, index)];
  }
  if (isOf(change, resources.bucketContent)) {
    const bucket = index.bucketOfNoted(name);
    return bucket === undefined ? [] : [bucketNow(bucket, index)];
  }
  if (isOf(change, resources.registration)) {
    return index.drivers.classesOf(name).map((each) => classNow(each, name, index));
  }
  if (!isOf(change, resources.secret)) return [];
  const buckets = [...new Set(index.bucketsAt(name))];
  const contents = buckets.map((each) => index.contentOfBucket(each)).filter((each) => each !== undefined);
  return [...buckets.map((each) => bucketNow(each, index)), ...contents.map((each) => contentNow(each, index))];
}

function routesOfBucket({ type }: Change, bucket: Bucket, name: string, index: BucketIndex): Route[] {
  const content = toContent(contentNameOf(bucket));
  if (type === 'deleted') return [content];
  const isGoing = bucket.metadata.deletionTimestamp !== undefined;
  // A content that someone has deleted waits until its Bucket is deleted too; and progress in emptying is only noticed
  // here.
  const contents = isGoing || index.lacksSource(name) ? [content] : [];
  if (type === 'listed') return workOfBucket(name, index);
  return index.hasBucketChanged(name) ? [toBinding(name), ...contents] : [];
}

function routesOfContent({ type }: Change, content: BucketContent, name: string, index: BucketIndex): Route[] {
  const bucket = displayName(content.spec.bucketRef);
  const { before, after } = index.contentChange(name);
  if (type === 'listed') return workOfContent(name, index);
  const isOver = !after || (after.isReleased && before?.isReleased === false);
  const others = isOver ? index.namesakesOf(name, content.spec.bucketIdentifier).map(toContent) : [];
  if (!after) return [toBinding(bucket), ...others];
  const isNews = !before?.hasCredentials || before.secret !== after.secret || before.uid !== after.uid;
  const isForCopying = (after.hasCredentials && isNews) || (after.isLost && before?.hasCredentials === true);
  return [
    ...(before?.forProvisioning === after.forProvisioning ? [] : [toContent(name)]),
    ...((before?.forBinding ?? silent) === after.forBinding ? [] : [toBinding(bucket)]),
    ...(isForCopying ? [toCopying(bucket)] : []),
    ...others,
  ];
}

function routesOfClass({ type, object }: Change, { provisioner }: BucketClass, index: BucketIndex): Route[] {
  if (type === 'deleted') return [];
  if (type === 'listed') return workOfClass(provisioner, index);
  const waiting = index.unboundOfClass(object.metadata.name).map(toBinding);
  return [...(provisioner ? [toRegistration(provisioner)] : []), ...waiting];
}

function routesOfRegistration({ type, object }: Change, name: string, index: BucketIndex): Route[] {
  // Only the deletion of a registration matters.
  if (type === 'updated' && !object.metadata.deletionTimestamp) return [];
  if (type === 'listed') return workOfRegistration(name, index);
  if (type === 'deleted') return [toRegistration(name)];
  return [toRegistration(name), ...index.unfinishedOf(name).map(toContent)];
}

function routesOfSecret({ type }: Change, { metadata }: Secret, name: string, index: BucketIndex): Route[] {
  if (type === 'listed') return [];
  const fed = index.bucketsFedBy(name);
  // A new Secret in the place of a Bucket's is our own, or was found when ours was to be created.
  const own = type === 'added' ? [] : index.bucketsWithSecret(name);
  const lost = type === 'deleted' ? index.contentsOwning(metadata.ownerReferences) : [];
  const mended = type === 'deleted' ? [] : index.unfinishedBy(name);
  return [...[...new Set([...fed, ...own])].map(toCopying), ...[...lost, ...mended].map(toContent)];
}
