import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { sentenceOf } from '../move/progress.ts';
import { tellEnd } from '../objects/end.ts';
import { follow } from '../objects/follow.ts';
import { create, read } from '../objects/objects.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectsText, telling, type WriteOptions } from '../objects/write-options.ts';
import { objectName } from '../parse/names.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { bucketProgress, bucketWaits } from './progress.ts';

export interface CreateOptions extends WriteOptions {
  class: string;
  secretName?: string;
  prefix?: string;
  wait?: boolean;
  timeout?: number;
}

interface Wish {
  name: string;
  className: string;
  secretName: string;
  prefix?: string | undefined;
}

const defaultTimeoutMs = 300_000;

export async function createBucket(text: string, options: CreateOptions): Promise<void> {
  const name = objectName('the name', text);
  const wish = {
    name,
    className: objectName('--class', options.class),
    secretName: objectName('--secret-name', options.secretName ?? `${name}-access`),
    prefix: options.prefix,
  };
  await inCluster(options, (work) => createIn(work, wish, options));
}

export function bucketFor(namespace: string, { name, className, secretName, prefix }: Wish): Bucket {
  const { apiVersion, kind } = resources.bucket;
  const bucketPrefix = prefix === undefined ? {} : { bucketPrefix: prefix };
  return {
    apiVersion,
    kind: kind as Bucket['kind'],
    metadata: { namespace, name },
    spec: { bucketClassName: className, secretName, ...bucketPrefix },
  };
}

/** In the cluster that the work is in. */
export async function createIn(work: Work, wish: Wish, options: CreateOptions): Promise<number> {
  const { namespace } = work;
  const user = telling(work.user, options);
  const what = `Bucket ${namespace}/${wish.name}`;
  const wanted = bucketFor(namespace, wish);
  const made = await create<Bucket>(work, resources.bucket, wanted, options.dryRun);
  const bucket = made ?? (await existing(work, wanted, what));
  if (options.output) work.user.tell(objectsText([options.dryRun ? wanted : bucket], options.output), true);
  const done = made ? (options.dryRun ? 'would be created (dry run)' : 'created') : 'exists already';
  user.tell(`${what} ${done}. Its credentials are put into Secret ${wish.secretName}.`);
  if (options.dryRun) return exitCodes.done;
  const again = [
    'longshore',
    'bucket',
    'create',
    wish.name,
    '--class',
    wish.className,
    '--secret-name',
    wish.secretName,
  ];
  const prefix = wish.prefix === undefined ? [] : ['--prefix', wish.prefix];
  const line = shellLine([...again, ...prefix, '-n', namespace, '--wait', ...work.reach]);
  if (!options.wait) {
    user.tell(`${usage(wish.secretName)}\nTo wait for it: ${line}`);
    return exitCodes.done;
  }
  let seen: Bucket | undefined;
  const { ending } = await follow(user, options.timeout ?? defaultTimeoutMs, async () => {
    seen = await read<Bucket>(work, resources.bucket, namespace, wish.name);
    return bucketProgress(seen, what, bucket.metadata.uid);
  });
  const waiting = seen && bucketWaits(seen);
  return tellEnd(user, ending, {
    over: `${what} can be used. ${usage(wish.secretName)}`,
    stays: what,
    again: line,
    withdraw: shellLine(['longshore', 'bucket', 'delete', wish.name, '-n', namespace, ...work.reach]),
    waitsFor: waiting && sentenceOf(waiting),
  });
}

function usage(secretName: string): string {
  return `In the container of a Pod:

  envFrom:
    - secretRef: { name: ${JSON.stringify(secretName)} }
`;
}

/** The Bucket of this name, if it is for the same; one for something else is left alone. */
async function existing(work: Work, { metadata, spec }: Bucket, what: string): Promise<Bucket> {
  const found = await read<Bucket>(work, resources.bucket, metadata.namespace, metadata.name);
  if (!found) throw new Error(`somebody else creates and deletes ${what} at this moment: try again`);
  if (found.metadata.deletionTimestamp) throw new Error(`${what} is being deleted: run this again when it is gone`);
  const { bucketClassName, secretName, bucketPrefix } = found.spec;
  const isSame =
    bucketClassName === spec.bucketClassName && secretName === spec.secretName && bucketPrefix === spec.bucketPrefix;
  if (isSame) return found;
  throw new Error(
    `${what} exists already, with class ${bucketClassName}, Secret ${secretName} and prefix ${bucketPrefix ?? 'none'}, and is left as it is: choose another name`,
  );
}
