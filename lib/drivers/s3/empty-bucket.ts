import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  type MultipartUpload,
  type ObjectIdentifier,
} from '@aws-sdk/client-s3';
import { unless } from './call.ts';
import { fail } from './errors.ts';
import type { Store } from './store.ts';

/** Whoever calls records how far it is, and gives way to others, every so many thousand. */
const pagesAtOnce = 10;
const abortsAtOnce = 20;
/** With less time than this nothing long is begun. */
const marginMs = 5_000;

export interface Emptied {
  removed: number;
  isDone: boolean;
}

/** Removes some of what is in a bucket. What is gone is not listed again, so each time it begins at the front. */
export async function emptySome(store: Store, bucket: string): Promise<Emptied> {
  let removed = 0;
  for (let page = 0; page < pagesAtOnce; page++) {
    if (store.remaining() < marginMs) return { removed, isDone: false };
    const count = (await removeVersions(store, bucket)) || (await abortUploads(store, bucket));
    if (count === 0) return { removed, isDone: true };
    removed += count;
  }
  return { removed, isDone: false };
}

async function removeVersions({ s3, call }: Store, bucket: string): Promise<number> {
  const listed = await call('s3:ListBucketVersions', (options) =>
    s3.send(new ListObjectVersionsCommand({ Bucket: bucket, MaxKeys: 1_000 }), options),
  );
  const found = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])];
  const Objects = found.map(({ Key, VersionId }): ObjectIdentifier => ({ Key, VersionId }));
  if (Objects.length === 0) return 0;
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
  const { Errors = [] } = await call('s3:DeleteObjectVersion', (options) => s3.send(command, options));
  const kept = Errors.filter(({ Code }) => Code !== 'NoSuchKey' && Code !== 'NoSuchVersion');
  const [first] = kept;
  if (!first) return Objects.length;
  const what = `${kept.length} of ${Objects.length} versions in ${bucket} could not be deleted`;
  // A lock on objects is refused in the same way as a permission that is missing.
  const result = kept.some(({ Code }) => Code === 'AccessDenied') ? 'denied' : 'unavailable';
  throw fail(result, `s3:DeleteObjectVersion: ${what}, the first of them because of ${first.Code}: ${first.Message}`);
}

async function abortUploads(store: Store, bucket: string): Promise<number> {
  const { Uploads = [] } = await store.call('s3:ListBucketMultipartUploads', (options) =>
    store.s3.send(new ListMultipartUploadsCommand({ Bucket: bucket }), options),
  );
  let aborted = 0;
  // At least some of them: none at all would mean that there are none.
  do {
    const some = Uploads.slice(aborted, aborted + abortsAtOnce);
    await Promise.all(some.map((upload) => abort(store, bucket, upload)));
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
