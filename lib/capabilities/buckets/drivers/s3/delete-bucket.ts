import { DeleteBucketCommand } from '@aws-sdk/client-s3';
import type { DeleteBucketOutcome, DeleteBucketRequest } from '../driver.ts';
import { refusalCode } from './call.ts';
import { emptyPartly } from './empty-bucket.ts';
import { StoreError } from './errors.ts';
import { isEmpty, ownershipIn, refuseUnmarked, tagsOf } from './owned-bucket.ts';
import type { Store } from './store.ts';
import type { FoundTag } from './tags.ts';

export async function deleteBucket(
  store: Store,
  request: DeleteBucketRequest,
  identity?: string,
): Promise<DeleteBucketOutcome> {
  const { bucket, parameters } = request;
  const actor = { cluster: request.cluster, identity };
  const tags = await readTags(store, bucket);
  if (tags === 'gone') return { result: 'deleted' };
  if (tags === 'elsewhere') return foreign(bucket);
  const ownership = ownershipIn(tags, { ...request, identity });
  if (ownership === 'foreign') return foreign(bucket);
  if (ownership === 'named') {
    // Not used as ours yet: if it is not empty, it is not the one that an interrupted call left behind.
    return (await isEmpty(store, bucket)) ? deleteIfEmpty(store, bucket, foreign(bucket)) : foreign(bucket);
  }
  refuseUnmarked(bucket, tags, actor);
  if (parameters.forceEmpty === 'false') {
    return (await isEmpty(store, bucket)) ? deleteIfEmpty(store, bucket, occupied(bucket)) : occupied(bucket);
  }
  const { removed, isDone } = await emptyPartly(store, bucket);
  return isDone ? deleteIfEmpty(store, bucket, { result: 'emptying', removed }) : { result: 'emptying', removed };
}

async function readTags(store: Store, bucket: string): Promise<FoundTag[] | 'gone' | 'elsewhere'> {
  try {
    return await tagsOf(store, bucket);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.failure.result === 'missing') return 'gone';
    // Ours is in the region of the class: one in another region belongs to someone else.
    if (error.failure.result === 'taken') return 'elsewhere';
    throw error;
  }
}

/** Someone may have added an object meanwhile. */
async function deleteIfEmpty(
  { s3, call }: Store,
  bucket: string,
  ifNotEmpty: DeleteBucketOutcome,
): Promise<DeleteBucketOutcome> {
  const command = new DeleteBucketCommand({ Bucket: bucket });
  const deleting = call('s3:DeleteBucket', (options) => s3.send(command, options));
  const refused = await refusalCode(['NoSuchBucket', 'BucketNotEmpty'], deleting);
  return refused === 'BucketNotEmpty' ? ifNotEmpty : { result: 'deleted' };
}

function foreign(bucket: string): DeleteBucketOutcome {
  return { result: 'foreign', message: `The bucket ${bucket} does not belong to this owner, and was left unchanged` };
}

function occupied(bucket: string): DeleteBucketOutcome {
  const message = `The bucket ${bucket} is not empty (old versions and unfinished uploads count too), and forceEmpty is "false": it is kept until it is empty`;
  return { result: 'occupied', message };
}
