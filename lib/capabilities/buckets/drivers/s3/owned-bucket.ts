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
 * Whose a bucket is. `named` has no tags at all, but is called by the owner's uid, which nobody else can have thought of:
 * a store that takes no tags with the call that makes a bucket leaves such a one behind when we are interrupted.
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

/** Where its deployment or its cluster is not said, it may be another's, or shared with another: a person says it. */
export function refuseUnmarked(bucket: string, tags: FoundTag[], actor: Actor): void {
  const missing = missingTagKeys(tags, actor);
  if (missing.length === 0) return;
  const said = `The bucket ${bucket} has no tag that says whose it is: it was left unchanged`;
  const ours = `If it was created for this Bucket and nothing else uses it, add ${missing.join(', ')}`;
  throw fail('taken', `${said}. ${ours}. To keep it, remove its tag ${ownerKey}`);
}

/** Whoever may say who an owner is could say a word that stands in many names. */
function isNamedAfter(bucket: string, owner: string): boolean {
  return isNamedAfterOwner(bucket) && ownerNamedIn(bucket) === owner.toLowerCase();
}

/** A bucket must be where the class says. A store without regions says nothing of where it is. */
export async function requireRegion({ s3, call, settings }: Store, bucket: string): Promise<void> {
  const { BucketRegion } = await call('s3:ListBucket', (options) =>
    s3.send(new HeadBucketCommand({ Bucket: bucket }), options),
  );
  if (BucketRegion === undefined || BucketRegion === settings.region) return;
  throw fail('taken', `The bucket ${bucket} is in ${BucketRegion}, and the class says ${settings.region}`);
}

/** Versions, markers of deletion and unfinished uploads count too: all of them are somebody's, and cost money. */
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
