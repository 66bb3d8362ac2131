import type { Cluster } from '../../../../kubernetes/cluster.ts';
import { readNamespace } from '../../../../kubernetes/namespace-consent.ts';
import type { Namespace } from '../../../../kubernetes/objects.ts';
import { type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { World } from '../../../../reconcile/step.ts';
import { readSettings, type Settings } from '../../../settings.ts';
import { contentNameOf } from '../../names.ts';
import { isForOneNamespace } from '../../namespaces.ts';
import type { Bucket, BucketClass, BucketContent, Registration } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';

export interface BindingWorld extends World<'bucket' | 'content', BucketReason> {
  readonly bucket?: Bucket | undefined;
  readonly bucketClass?: BucketClass | undefined;
  readonly content?: BucketContent | undefined;
  /** The registration of the content's driver; read only until the driver reports something. */
  readonly registration?: Registration | undefined;
  readonly settings?: Settings | undefined;
  /** The Bucket's namespace; read only if its class is for this namespace alone, and nothing has been created yet. */
  readonly namespace?: Namespace | undefined;
}

export async function read(cluster: Cluster, key: Key): Promise<BindingWorld> {
  const bucket = await cluster.get(nameOf(resources.bucket, key.namespace, key.name));
  if (!bucket) return {};
  const readContent = cluster.get(nameOf(resources.bucketContent, undefined, contentNameOf(bucket)));
  // A Bucket that is being deleted needs neither its class nor permission.
  if (bucket.metadata.deletionTimestamp) return { bucket, content: await readContent };
  const [content, bucketClass, settings] = await Promise.all([
    readContent,
    cluster.get(nameOf(resources.bucketClass, undefined, bucket.spec.bucketClassName)),
    readSettings(cluster),
  ]);
  const isAsked = bucketClass && !content && isForOneNamespace(bucketClass, bucket);
  const [registration, namespace] = await Promise.all([
    readRegistration(cluster, content),
    // Read after the Bucket, so it cannot be an earlier namespace than the Bucket's.
    isAsked ? readNamespace(cluster, key.namespace) : undefined,
  ]);
  return { bucket, bucketClass, content, settings, registration, namespace };
}

async function readRegistration(
  cluster: Cluster,
  content: BucketContent | undefined,
): Promise<Registration | undefined> {
  const { spec, status } = content ?? {};
  if (!spec?.provisioner || status?.phase) return undefined;
  return cluster.get(nameOf(resources.registration, undefined, spec.provisioner));
}
