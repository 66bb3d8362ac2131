import { HeadBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import type { FindOwnedRequest, OwnedResource } from '../sweepable-driver.ts';
import { mapInBatches, retryRead } from './batched-reads.ts';
import { StoreError } from './errors.ts';
import { tagsOf } from './owned-bucket.ts';
import { copyKept, pagesOfStore } from './pages.ts';
import { isNamedAfterOwner } from './principal-names.ts';
import type { Store } from './store.ts';
import { areTooLong, belongsToAnotherDeployment, clusterIn, ownerIn } from './tags.ts';

interface ListedBucket {
  name: string;
  madeAt: number | undefined;
}

/**
 * The account's buckets in the region of the store, if they may be ours or are expected. A store without regions
 * reports none.
 */
export async function listBuckets(store: Store, { expected, memory }: FindOwnedRequest): Promise<ListedBucket[]> {
  const wanted = new Set(expected.map(({ bucket }) => bucket));
  const found: ListedBucket[] = [];
  const action = 's3:ListAllMyBuckets';
  const readPage = (ContinuationToken: string | undefined) => {
    // With a parameter, the response includes the regions.
    const command = new ListBucketsCommand({ MaxBuckets: 1_000, ...(ContinuationToken ? { ContinuationToken } : {}) });
    return store.call(action, (options) => store.s3.send(command, options));
  };
  for await (const { Buckets = [] } of pagesOfStore(action, readPage, (page) => page.ContinuationToken)) {
    const here = Buckets.filter(({ BucketRegion: region }) => !region || region === store.settings.region);
    const listed = here.map(({ Name = '', CreationDate }) => ({ name: Name, madeAt: CreationDate?.getTime() }));
    const kept = listed.filter(({ name }) => isNamedAfterOwner(name) || wanted.has(name));
    found.push(...(await copyKept(kept, memory)));
  }
  return found;
}

/** Anyone's bucket may have a name that ends like ours: only the tag proves that we created it. */
export async function bucketsAmong(
  store: Store,
  listed: readonly ListedBucket[],
  { clusters, memory }: FindOwnedRequest,
  identity: string | undefined,
): Promise<OwnedResource[]> {
  const candidates = listed.filter(({ name }) => isNamedAfterOwner(name));
  const found = await mapInBatches(candidates, async ({ name, madeAt }): Promise<OwnedResource[]> => {
    const tags = await readableTags(store, name);
    const owner = ownerIn(tags);
    if (owner === undefined || belongsToAnotherDeployment(tags, identity) || areTooLong(tags)) return [];
    return copyKept([{ kind: 'bucket', name, owner, cluster: clusterIn(tags, clusters), madeAt, keys: [] }], memory);
  });
  return found.flat();
}

/** No tags for a bucket that is gone by now, or that denies us access: our own does not. */
async function readableTags(store: Store, bucket: string) {
  try {
    return await retryRead(() => tagsOf(store, bucket));
  } catch (error) {
    if (error instanceof StoreError && error.failure.result !== 'unavailable') return [];
    throw error;
  }
}

export function headBucket({ s3, call }: Store, bucket: string) {
  return call('s3:ListBucket', (options) => s3.send(new HeadBucketCommand({ Bucket: bucket }), options));
}
