import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3';
import { ignoring } from './call.ts';
import { fail } from './errors.ts';
import { decodedKey } from './object-keys.ts';
import { listVersions, marginMs, removeVersions, type Version } from './remove-versions.ts';
import type { Store } from './store.ts';

/** After this many pages of a thousand, the caller records the progress and lets others proceed. */
const maxPages = 10;
const maxConcurrentAborts = 20;

export interface Emptied {
  removed: number;
  isDone: boolean;
}

/** Removes part of a bucket's contents. Removed objects are not listed again, so each list starts at the beginning. */
export async function emptyPartly(store: Store, bucket: string): Promise<Emptied> {
  let removed = 0;
  let before: Version[] = [];
  for (let page = 0; page < maxPages; page++) {
    if (store.remaining() < marginMs) return { removed, isDone: false };
    const versions = await listVersions(store, bucket);
    refuseUnchangedList(bucket, before, versions);
    const count = (await removeVersions(store, bucket, versions)) || (await abortUploads(store, bucket));
    if (count === 0) return { removed, isDone: true };
    removed += count;
    before = versions;
  }
  return { removed, isDone: false };
}

/** A store that lists objects again after it reported them removed would cause an endless loop. */
function refuseUnchangedList(bucket: string, [before]: Version[], [now]: Version[]): void {
  if (!before || before.key !== now?.key || before.id !== now.id) return;
  const what = `s3:DeleteObjectVersion: the store reports that it removed ${JSON.stringify(now.key)} from ${bucket}`;
  throw fail('unavailable', `${what}, but still lists it`);
}

async function abortUploads(store: Store, bucket: string): Promise<number> {
  const listing = new ListMultipartUploadsCommand({ Bucket: bucket, EncodingType: 'url' });
  const { Uploads = [], EncodingType } = await store.call('s3:ListBucketMultipartUploads', (options) =>
    store.s3.send(listing, options),
  );
  let aborted = 0;
  // At least some of them: zero would mean that there are none.
  do {
    const some = Uploads.slice(aborted, aborted + maxConcurrentAborts);
    await Promise.all(
      some.map(({ Key, UploadId }) => abort(store, bucket, { Key: decodedKey(Key, EncodingType), UploadId })),
    );
    aborted += some.length;
  } while (aborted < Uploads.length && store.remaining() >= marginMs);
  return aborted;
}

async function abort({ s3, call }: Store, bucket: string, { Key, UploadId }: MultipartUpload): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
  await ignoring(
    ['NoSuchUpload'],
    call('s3:AbortMultipartUpload', (options) => s3.send(command, options)),
  );
}
