import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3';
import { unless } from './call.ts';
import { fail } from './errors.ts';
import { keyIn } from './keys.ts';
import { listVersions, marginMs, removeVersions, type Version } from './remove-versions.ts';
import type { Store } from './store.ts';

/** Whoever calls records how far it is, and gives way to others, every so many thousand. */
const pagesAtOnce = 10;
const abortsAtOnce = 20;

export interface Emptied {
  removed: number;
  isDone: boolean;
}

/** Removes some of what is in a bucket. What is gone is not listed again, so each time it begins at the front. */
export async function emptySome(store: Store, bucket: string): Promise<Emptied> {
  let removed = 0;
  let before: Version[] = [];
  for (let page = 0; page < pagesAtOnce; page++) {
    if (store.remaining() < marginMs) return { removed, isDone: false };
    const versions = await listVersions(store, bucket);
    refuseSame(bucket, before, versions);
    const count = (await removeVersions(store, bucket, versions)) || (await abortUploads(store, bucket));
    if (count === 0) return { removed, isDone: true };
    removed += count;
    before = versions;
  }
  return { removed, isDone: false };
}

/** A store that names as gone what it then lists again would be asked for ever. */
function refuseSame(bucket: string, [before]: Version[], [now]: Version[]): void {
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
  // At least some of them: none at all would mean that there are none.
  do {
    const some = Uploads.slice(aborted, aborted + abortsAtOnce);
    await Promise.all(
      some.map(({ Key, UploadId }) => abort(store, bucket, { Key: keyIn(Key, EncodingType), UploadId })),
    );
    aborted += some.length;
  } while (aborted < Uploads.length && store.remaining() >= marginMs);
  return aborted;
}

async function abort({ s3, call }: Store, bucket: string, { Key, UploadId }: MultipartUpload): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
  await unless(
    ['NoSuchUpload'],
    call('s3:AbortMultipartUpload', (options) => s3.send(command, options)),
  );
}
