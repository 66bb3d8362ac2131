import type { Bucket, BucketClass, BucketContent } from '../../lib/capabilities/buckets/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath, isLegalName, resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { sentenceOf } from '../move/progress.ts';
import { tellEnd } from '../objects/end.ts';
import { follow, type Progress } from '../objects/follow.ts';
import { read, remove } from '../objects/objects.ts';
import { ifAllowed, missing, tryOut } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectName } from '../parse/names.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { bucketWaits } from './progress.ts';

export interface DeleteOptions extends ClusterOptions, NamespaceOptions {
  yes?: true;
  dryRun?: true;
  wait?: boolean;
  timeout?: number;
}

const defaultTimeoutMs = 300_000;

export async function deleteBucket(text: string, options: DeleteOptions): Promise<void> {
  const name = objectName('the name', text);
  await inCluster(options, (work) => deleteIn(work, name, options));
}

/** In the cluster that the work is in. */
export async function deleteIn(work: Work, name: string, options: DeleteOptions): Promise<number> {
  const { namespace, user } = work;
  const what = `Bucket ${namespace}/${name}`;
  const bucket = await read<Bucket>(work, resources.bucket, namespace, name);
  if (!bucket) throw missing(what);
  const isGoing = bucket.metadata.deletionTimestamp !== undefined;
  if (!isGoing) {
    const question = `This deletes ${what}, its Secret ${bucket.spec.secretName}, and the credentials.\n${await fateOf(work, bucket)}`;
    // Whoever may not do it is told so before the question.
    const trial = remove(work, resources.bucket, bucket, true);
    await (options.dryRun ? trial : tryOut(trial));
    if (options.yes || options.dryRun) user.remark(question);
    else if (!(await user.confirm(question, `delete ${name}`))) {
      user.remark('Nothing was deleted. To delete without being asked, use --yes.');
      return user.stopped.aborted ? exitCodes.interrupted : exitCodes.failed;
    }
    if (!options.dryRun) await remove(work, resources.bucket, bucket);
  }
  if (options.dryRun) {
    user.tell(`${what} ${isGoing ? 'is being deleted already' : 'would be deleted (dry run)'}.`);
    return exitCodes.done;
  }
  user.tell(`${what} ${isGoing ? 'is being deleted already' : 'deleted'}. It goes when its access has been revoked.`);
  if (!options.wait) return exitCodes.done;
  let seen: Bucket | undefined;
  const { ending } = await follow(user, options.timeout ?? defaultTimeoutMs, async () => {
    seen = await read<Bucket>(work, resources.bucket, namespace, name);
    return goingProgress(seen, bucket.metadata.uid);
  });
  const waiting = seen && bucketWaits(seen);
  return tellEnd(user, ending, {
    over: `${what} is gone.`,
    stays: `The deletion of ${what}`,
    again: shellLine(['longshore', 'bucket', 'delete', name, '-n', namespace, '--wait', ...work.reach]),
    waitsFor: waiting && sentenceOf(waiting),
  });
}

/** Another Bucket of the name is not the one that was deleted. */
function goingProgress(bucket: Bucket | undefined, uid: string | undefined): Progress {
  const isOver = bucket?.metadata.uid !== uid;
  const waiting = bucket && !isOver ? bucketWaits(bucket) : undefined;
  return { stage: waiting ? waiting.reason : 'releasing', lines: waiting ? [sentenceOf(waiting)] : [], isOver };
}

/** What happens to the data. What is not known for certain is told as it may be at worst. */
async function fateOf(work: Work, bucket: Bucket): Promise<string> {
  const policy = await policyOf(work, bucket);
  if (policy === 'Retain') return 'The bucket in the store stays, with everything in it, but this access to it ends.';
  if (policy === 'Delete') {
    return 'ALL DATA in the bucket is destroyed with it, and cannot be had back (release policy Delete).';
  }
  return 'ALL DATA in the bucket may be destroyed with it: its release policy is not known to you. Ask an administrator.';
}

async function policyOf(work: Work, { metadata, spec, status }: Bucket): Promise<'Delete' | 'Retain' | undefined> {
  const { bucketContent, bucketClass } = resources;
  const content = await readFree<BucketContent>(work, bucketContent, status?.bucketContentName);
  if (content?.spec.bucketRef.uuid === metadata.uid) return content?.spec.releasePolicy;
  const ofClass = await readFree<BucketClass>(work, bucketClass, spec.bucketClassName);
  // A class cannot be changed, but may be made anew: one that is older than the Bucket is the one that it was made by.
  const [made = '', classMade = ''] = [metadata.creationTimestamp, ofClass?.metadata.creationTimestamp];
  return ofClass && classMade < made ? (ofClass.releasePolicy ?? 'Retain') : undefined;
}

async function readFree<T extends BucketContent | BucketClass>(
  { api }: Work,
  resource: Resource,
  name: string | undefined,
) {
  if (name === undefined || !isLegalName(name)) return undefined;
  return ifAllowed(() => api.get<T>(`${collectionPath(resource)}/${name}`));
}
