import { contentNameOf } from '../../lib/buckets/names.ts';
import type { Bucket, BucketClass, BucketContent, Registration } from '../../lib/buckets/objects.ts';
import type { Cluster } from '../../lib/cluster/cluster.ts';
import { type Key, nameOf, resources } from '../../lib/cluster/resources.ts';
import type { World } from '../../lib/reconcile/step.ts';
import { readSettings, type Settings } from '../../lib/settings.ts';

export interface BindingWorld extends World {
  readonly bucket?: Bucket | undefined;
  readonly bucketClass?: BucketClass | undefined;
  readonly content?: BucketContent | undefined;
  /** Of the content's driver; read only while nothing is heard of that driver. */
  readonly registration?: Registration | undefined;
  readonly settings?: Settings | undefined;
}

export async function read(cluster: Cluster, key: Key): Promise<BindingWorld> {
  const bucket = await cluster.get<Bucket>(nameOf(resources.bucket, key.namespace, key.name));
  if (!bucket) return {};
  const readContent = cluster.get<BucketContent>(nameOf(resources.bucketContent, undefined, contentNameOf(bucket)));
  // What goes needs neither its class nor anybody's leave.
  if (bucket.metadata.deletionTimestamp) return { bucket, content: await readContent };
  const [content, bucketClass, settings] = await Promise.all([
    readContent,
    cluster.get<BucketClass>(nameOf(resources.bucketClass, undefined, bucket.spec.bucketClassName)),
    readSettings(cluster),
  ]);
  return { bucket, bucketClass, content, settings, registration: await readRegistration(cluster, content) };
}

async function readRegistration(
  cluster: Cluster,
  content: BucketContent | undefined,
): Promise<Registration | undefined> {
  const { spec, status } = content ?? {};
  if (!spec?.provisioner || status?.phase) return undefined;
  return cluster.get<Registration>(nameOf(resources.registration, undefined, spec.provisioner));
}
