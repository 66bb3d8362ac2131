import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { ageOf } from '../objects/age.ts';
import { list, read } from '../objects/objects.ts';
import { missing, refuseNoNamespace } from '../objects/refusals.ts';
import { inCluster, type Work } from '../objects/work.ts';
import { objectName } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { type Item, type OutputForm, textOf } from '../terminal/output.ts';
import { bucketWaits } from './progress.ts';

export interface GetOptions extends ClusterOptions, NamespaceOptions {
  output?: OutputForm;
}

export async function getBuckets(text: string | undefined, options: GetOptions): Promise<void> {
  if (text !== undefined && options.allNamespaces)
    throw new UsageError('a name and --all-namespaces exclude each other');
  const name = text === undefined ? undefined : objectName('the name', text);
  await inCluster(options, (work) => getIn(work, name, options));
}

/** In the cluster that the work is in. */
export async function getIn(work: Work, name: string | undefined, { allNamespaces, output }: GetOptions) {
  const { namespace, user } = work;
  const buckets = await found(work, name, allNamespaces ? undefined : namespace);
  if (buckets.length === 0 && !allNamespaces) await refuseNoNamespace(work, namespace);
  if (buckets.length === 0 && (output === undefined || output === 'wide')) {
    user.remark(allNamespaces ? 'There are no Buckets.' : `There are no Buckets in namespace ${namespace}.`);
    return exitCodes.done;
  }
  const own = allNamespaces ? ['NAMESPACE'] : [];
  const heading = [...own, 'NAME', 'CLASS', 'PHASE', 'SECRET', 'WAITING ON', 'AGE'];
  const items = buckets.map((bucket) => itemOf(bucket, allNamespaces === true));
  user.tell(textOf({ heading, headingMore: ['CONTENT', 'MESSAGE'], items }, output), true);
  return exitCodes.done;
}

async function found(work: Work, name: string | undefined, namespace: string | undefined): Promise<Bucket[]> {
  if (name === undefined) return list<Bucket>(work, resources.bucket, namespace);
  const bucket = await read<Bucket>(work, resources.bucket, namespace, name);
  if (!bucket) throw missing(`Bucket ${namespace}/${name}`);
  return [bucket];
}

function itemOf(bucket: Bucket, hasNamespace: boolean): Item {
  const { metadata, spec, status } = bucket;
  const waiting = bucketWaits(bucket);
  const phase = metadata.deletionTimestamp ? 'Deleting' : (status?.phase ?? '-');
  const own = hasNamespace ? [metadata.namespace ?? ''] : [];
  const { managedFields: _, ...plain } = metadata;
  return {
    name: `bucket/${metadata.name}`,
    cells: [
      ...own,
      metadata.name,
      spec.bucketClassName,
      phase,
      spec.secretName,
      waiting?.reason ?? '-',
      ageOf(metadata),
    ],
    more: [status?.bucketContentName ?? '-', waiting?.message ?? '-'],
    value: { ...bucket, metadata: plain },
  };
}
