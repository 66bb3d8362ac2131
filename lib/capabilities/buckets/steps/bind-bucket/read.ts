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
  /** Of the content's driver; read only while nothing is heard of that driver. */
  readonly registration?: Registration | undefined;
  readonly settings?: Settings | undefined;
  /** Of the Bucket; read only where its class is for this one, and nothing has been made yet. */
  readonly namespace?: Namespace | undefined;
}

export async function read(cluster: Cluster, key: Key): Promise<BindingWorld> {
  const bucket = await cluster.get(nameOf(resources.bucket, key.namespace, key.name));
  if (!bucket) return {};
  const readContent = cluster.get(nameOf(resources.bucketContent, undefined, contentNameOf(bucket)));
  // What goes needs neither its class nor anybody's leave.
  if (bucket.metadata.deletionTimestamp) return { bucket, content: await readContent };
  const [content, bucketClass, settings] = await Promise.all([
    readContent,
    cluster.get(nameOf(resources.bucketClass, undefined, bucket.spec.bucketClassName)),
    readSettings(cluster),
  ]);
  const isAsked = bucketClass && !content && isForOneNamespace(bucketClass, bucket);
  const [registration, namespace] = await Promise.all([
    readRegistration(cluster, content),
    // After the Bucket: so it cannot be an earlier one than that which the Bucket is in.
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
