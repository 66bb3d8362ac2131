import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  type CreateBucketConfiguration,
  PutBucketTaggingCommand,
} from '@aws-sdk/client-s3';
import type { CreateBucketOutcome, CreateBucketRequest, Failure } from '../driver.ts';
import { applySettings } from './bucket-settings.ts';
import { refusalCode } from './call.ts';
import { StoreError } from './errors.ts';
import { isEmpty, ownershipIn, refuseUnmarked, requireRegion, tagsOf } from './owned-bucket.ts';
import type { Store } from './store.ts';
import { type Actor, type Tag, tagsFor } from './tags.ts';

export async function createBucket(
  store: Store,
  request: CreateBucketRequest,
  identity?: string,
): Promise<CreateBucketOutcome> {
  const tags = tagsFor(request, identity);
  const answer = await create(store, request.bucket, tags);
  // An existing bucket is not necessarily ours: in us-east-1 even creating it a second time succeeds.
  const failure = await verifyOwnership(store, { ...request, identity }, tags, answer);
  if (failure) throw new StoreError(failure, failure.result);
  if (answer === 'made' || !request.isHandedOver) await applySettings(store, request.bucket, request.parameters);
  return { result: 'created' };
}

type CreateResult = 'made' | 'in our account' | 'in some account';

async function create(store: Store, bucket: string, tags: Tag[]): Promise<CreateResult> {
  const { s3, call, settings } = store;
  const configuration: CreateBucketConfiguration = { Tags: tags };
  // The oldest region is the only one that must be omitted.
  if (settings.region !== 'us-east-1') {
    configuration.LocationConstraint = settings.region as BucketLocationConstraint;
  }
  // There it would succeed for an existing bucket, and reset its ACL. And with an endpoint that may be wrong, a read finds
  // that out without leaving anything behind.
  if ((settings.region === 'us-east-1' || settings.endpoint) && (await bucketExists(store, bucket)))
    return 'in our account';
  const command = new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration: configuration });
  const creating = call('s3:CreateBucket with s3:TagResource', (options) => s3.send(command, options));
  const refused = await refusalCode(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'], creating);
  if (refused === undefined) return 'made';
  return refused === 'BucketAlreadyOwnedByYou' ? 'in our account' : 'in some account';
}

async function bucketExists(store: Store, bucket: string): Promise<boolean> {
  try {
    await tagsOf(store, bucket);
    return true;
  } catch (error) {
    if (error instanceof StoreError && ['missing', 'denied'].includes(error.failure.result)) return false;
    throw error;
  }
}

type OwnershipRequest = CreateBucketRequest & Actor;

async function verifyOwnership(
  store: Store,
  request: OwnershipRequest,
  tags: Tag[],
  answer: CreateResult,
): Promise<Failure | undefined> {
  const { bucket } = request;
  try {
    if (answer !== 'made') await requireRegion(store, bucket);
    return await ensureOwnership(store, request, tags);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { result, message } = error.failure;
    // For another account's bucket every read is denied.
    if (result === 'denied' && answer === 'in some account') return takenBy(bucket);
    // It existed a moment ago.
    if (result === 'missing') return { result: 'unavailable', message };
    return error.failure;
  }
}

/** Some stores ignore the tags of the create call; a bucket without tags is only tagged while it is empty. */
async function ensureOwnership(store: Store, request: OwnershipRequest, tags: Tag[]): Promise<Failure | undefined> {
  const { bucket } = request;
  const found = await tagsOf(store, bucket);
  const ownership = ownershipIn(found, request);
  if (ownership === 'ours') {
    // A bucket that was handed over may have been shared since, and its own keys are recreated all the same.
    if (!request.isHandedOver) refuseUnmarked(bucket, found, request);
    return undefined;
  }
  if (ownership === 'foreign' || !(await isEmpty(store, bucket))) return takenBy(bucket);
  const command = new PutBucketTaggingCommand({ Bucket: bucket, Tagging: { TagSet: tags } });
  await store.call('s3:PutBucketTagging', (options) => store.s3.send(command, options));
  return undefined;
}

function takenBy(bucket: string): Failure {
  return { result: 'taken', message: `The bucket ${bucket} already exists, and does not belong to this owner` };
}
