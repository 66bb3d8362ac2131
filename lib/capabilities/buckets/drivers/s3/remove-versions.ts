import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  type _Error as DeleteRefusal,
  ListObjectVersionsCommand,
} from '@aws-sdk/client-s3';
import { fail, StoreError } from './errors.ts';
import { decodedKey, isXmlSafe } from './object-keys.ts';
import type { Store } from './store.ts';

export interface Version {
  key: string;
  id: string | undefined;
}

const maxConcurrentDeletes = 20;
/** With less time than this, no long operation is begun. */
export const marginMs = 5_000;

export async function listVersions({ s3, call }: Store, bucket: string): Promise<Version[]> {
  const command = new ListObjectVersionsCommand({ Bucket: bucket, MaxKeys: 1_000, EncodingType: 'url' });
  const listed = await call('s3:ListBucketVersions', (options) => s3.send(command, options));
  const found = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])];
  return found.map(({ Key, VersionId }) => ({ key: decodedKey(Key, listed.EncodingType), id: VersionId }));
}

/**
 * Removes these permanently, and returns the number that the store reported as deleted. All of them are tried before it
 * fails.
 */
export async function removeVersions(store: Store, bucket: string, versions: Version[]): Promise<number> {
  const plain = versions.filter(({ key }) => isXmlSafe(key));
  const others = versions.filter(({ key }) => !isXmlSafe(key));
  const together = plain.length > 0 ? await removeTogether(store, bucket, plain) : { removed: 0, refusals: [] };
  const single = await removeOneByOne(store, bucket, others);
  const refusals = [...together.refusals, ...single.refusals];
  if (refusals.length > 0) throw refused(bucket, refusals, versions.length);
  const removed = together.removed + single.removed;
  if (removed > 0 || versions.length === 0) return removed;
  throw fail('unavailable', `s3:DeleteObjectVersion: the store removed nothing from ${bucket}, and does not say why`);
}

interface Removal {
  removed: number;
  refusals: DeleteRefusal[];
}

async function removeTogether({ s3, call }: Store, bucket: string, versions: Version[]): Promise<Removal> {
  const Objects = versions.map(({ key, id }) => ({ Key: key, VersionId: id }));
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
  const { Deleted = [], Errors = [] } = await call('s3:DeleteObjectVersion', (options) => s3.send(command, options));
  const refusals = Errors.filter(({ Code }) => !isGone(Code));
  return { removed: Deleted.length + Errors.length - refusals.length, refusals };
}

/** For keys that XML cannot represent: here the key is part of the URL. */
async function removeOneByOne(store: Store, bucket: string, versions: Version[]): Promise<Removal> {
  const answers: (DeleteRefusal | undefined)[] = [];
  // At least some of them, however little time is left: the caller has checked that.
  while (answers.length < versions.length && (answers.length === 0 || store.remaining() >= marginMs)) {
    const some = versions.slice(answers.length, answers.length + maxConcurrentDeletes);
    answers.push(...(await Promise.all(some.map((version) => removeOne(store, bucket, version)))));
  }
  const refusals = answers.filter((answer) => answer !== undefined);
  return { removed: answers.length - refusals.length, refusals };
}

async function removeOne({ s3, call }: Store, bucket: string, version: Version): Promise<DeleteRefusal | undefined> {
  const command = new DeleteObjectCommand({ Bucket: bucket, Key: version.key, VersionId: version.id });
  try {
    await call('s3:DeleteObjectVersion', (options) => s3.send(command, options));
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { code: Code, message: Message } = error;
    if (isGone(Code)) return undefined;
    // A locked one must not prevent the removal of the others.
    if (!isLocked({ Code, Message })) throw error;
    return { Code, Message };
  }
}

function isGone(code: string | undefined): boolean {
  return code === 'NoSuchKey' || code === 'NoSuchVersion';
}

/** S3 refuses locked objects with the code for missing permissions; other stores report it in a code or a sentence. */
function isLocked({ Code = '', Message = '' }: DeleteRefusal): boolean {
  return Code === 'AccessDenied' || /lock|worm|retention/i.test(`${Code} ${Message}`);
}

function refused(bucket: string, refusals: DeleteRefusal[], tried: number): StoreError {
  const locked = refusals.find(isLocked);
  const { Code, Message } = locked ?? refusals[0] ?? {};
  const what = `s3:DeleteObjectVersion: ${refusals.length} of ${tried} versions in ${bucket} could not be deleted`;
  const said = `the first of them with ${Code}: ${Message}`;
  if (!locked) return fail('unavailable', `${what}, ${said}`);
  const advice = 'A lock (retention, legal hold) or a policy protects them: the bucket stays until that ends';
  return fail('denied', `${what}, ${said}. ${advice}`);
}
