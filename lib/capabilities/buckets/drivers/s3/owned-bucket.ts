import {
  GetBucketTaggingCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
} from '@aws-sdk/client-s3';
import { ignoring } from './call.ts';
import { fail } from './errors.ts';
import { isNamedAfterOwner, ownerNamedIn } from './principal-names.ts';
import type { Store } from './store.ts';
import { type Actor, type FoundTag, missingTagKeys, ownerIn, ownerKey, refuseOthers } from './tags.ts';

/**
 * The owner of a bucket. A `named` bucket has no tags at all, but the owner's uid in its name, which no one else can
 * have guessed: an interrupted call leaves such a bucket behind in a store that does not accept tags in the call that
 * creates a bucket.
 */
export type Ownership = 'ours' | 'named' | 'foreign';

interface Owned extends Actor {
  bucket: string;
  owner: string;
}

export async function tagsOf({ s3, call }: Store, bucket: string): Promise<FoundTag[]> {
  const reading = call('s3:GetBucketTagging', (options) =>
    s3.send(new GetBucketTaggingCommand({ Bucket: bucket }), options),
  );
  return (await ignoring(['NoSuchTagSet'], reading))?.TagSet ?? [];
}

export function ownershipIn(tags: FoundTag[], { bucket, owner, ...actor }: Owned): Ownership {
  refuseOthers(`The bucket ${bucket}`, tags, actor);
  if (ownerIn(tags) === owner) return 'ours';
  return tags.length === 0 && isNamedAfter(bucket, owner) ? 'named' : 'foreign';
}

/**
 * Without a tag of its deployment or cluster it may belong to another, or be shared with another: a person has to
 * decide.
 */
export function refuseUnmarked(bucket: string, tags: FoundTag[], actor: Actor): void {
  const missing = missingTagKeys(tags, actor);
  if (missing.length === 0) return;
  const said = `The bucket ${bucket} has no tag that says whose it is: it was left unchanged`;
  const ours = `If it was created for this Bucket and nothing else uses it, add ${missing.join(', ')}`;
  throw fail('taken', `${said}. ${ours}. To keep it, remove its tag ${ownerKey}`);
}

/** Someone who can choose an owner's uid could choose a word that occurs in many names. */
function isNamedAfter(bucket: string, owner: string): boolean {
  return isNamedAfterOwner(bucket) && ownerNamedIn(bucket) === owner.toLowerCase();
}

/** A bucket must be in the class's region. A store without regions reports none. */
export async function requireRegion({ s3, call, settings }: Store, bucket: string): Promise<void> {
  const { BucketRegion } = await call('s3:ListBucket', (options) =>
    s3.send(new HeadBucketCommand({ Bucket: bucket }), options),
  );
  if (BucketRegion === undefined || BucketRegion === settings.region) return;
  throw fail('taken', `The bucket ${bucket} is in ${BucketRegion}, and the class says ${settings.region}`);
}

/** Versions, delete markers and unfinished uploads count too: all of them belong to someone, and cost money. */
export async function isEmpty({ s3, call }: Store, bucket: string): Promise<boolean> {
  const { Versions = [], DeleteMarkers = [] } = await call('s3:ListBucketVersions', (options) =>
    s3.send(new ListObjectVersionsCommand({ Bucket: bucket, MaxKeys: 1 }), options),
  );
  if (Versions.length + DeleteMarkers.length > 0) return false;
  const { Uploads = [] } = await call('s3:ListBucketMultipartUploads', (options) =>
    s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, MaxUploads: 1 }), options),
  );
  return Uploads.length === 0;
}
