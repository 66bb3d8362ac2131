import type { Cluster } from '../../kubernetes/cluster.ts';
import { isClusterError } from '../../kubernetes/errors.ts';
import { resources } from '../../kubernetes/resources.ts';
import { isTouched } from './content.ts';
import type { BucketContent } from './objects.ts';

/**
 * The other contents with a bucket of the same name, at any endpoint: a store may have several. They must be read after
 * the content itself.
 */
export async function readNamesakes(cluster: Cluster, content: BucketContent): Promise<BucketContent[]> {
  const { bucketIdentifier = '' } = content.spec;
  const found = await listByIdentifier(cluster, bucketIdentifier);
  return found.filter(
    ({ metadata, spec }) => spec.bucketIdentifier === bucketIdentifier && metadata.uid !== content.metadata.uid,
  );
}

/** Servers before 1.31 cannot select by such a field, and refuse the request. */
async function listByIdentifier(cluster: Cluster, identifier: string): Promise<BucketContent[]> {
  const { bucketContent } = resources;
  try {
    const fields = { 'spec.bucketIdentifier': identifier };
    return await cluster.list(bucketContent, undefined, 'present', fields);
  } catch (error) {
    if (!isClusterError(error, 'rejected')) throw error;
    return cluster.list(bucketContent, undefined);
  }
}

/** True if its deletion empties its bucket. */
export function isEmptiedWith({ spec }: BucketContent): boolean {
  return spec.flow === 'Greenfield' && spec.releasePolicy === 'Delete';
}

/**
 * The contents that have access to the bucket, or may have. Each records that it has begun before access is granted.
 */
export function holdersAmong(namesakes: readonly BucketContent[]): BucketContent[] {
  return namesakes.filter((each) => isTouched(each) && each.status?.phase !== 'Released');
}

/** True if the bucket is about to be deleted with one of these contents. */
export function isEmptiedSoon(namesakes: readonly BucketContent[]): boolean {
  return namesakes.some(
    (each) => isEmptiedWith(each) && each.metadata.deletionTimestamp && each.status?.phase !== 'Released',
  );
}

/** Their names, as far as the namespace may know them. */
export function describeHolders(holders: readonly BucketContent[], namespace: string): string {
  const refs = holders.map(({ spec }) => spec.bucketRef);
  const own = refs.filter((each) => each.namespace === namespace).map(({ name }) => `Bucket ${namespace}/${name}`);
  const others = refs.length - own.length;
  const unnamed = others === 0 ? [] : [`${others} Bucket${others === 1 ? '' : 's'} of other namespaces`];
  return [...own, ...unnamed].join(', ');
}

/** True if it waits for access to a bucket that was created for another Bucket. */
export function isJoining({ spec }: BucketContent): boolean {
  return spec.flow === 'Brownfield' && spec.secretRef === undefined;
}
