import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Secret } from '../../../../kubernetes/objects.ts';
import { type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { World } from '../../../../reconcile/step.ts';
import { belongsTo } from '../../content.ts';
import { contentNameOf } from '../../names.ts';
import type { Bucket, BucketContent } from '../../objects.ts';
import type { BucketReason } from '../../reasons.ts';

export interface CopyingWorld extends World<'bucket' | 'target', BucketReason> {
  readonly bucket?: Bucket | undefined;
  /** The Bucket's own, once it reports credentials. */
  readonly content?: BucketContent | undefined;
  readonly source?: Secret | undefined;
  /** The Secret with the name that the Bucket requests, regardless of its owner. */
  readonly target?: Secret | undefined;
  /** There were credentials, and at present there are none. */
  readonly isLost?: boolean;
}

export async function read(cluster: Cluster, key: Key): Promise<CopyingWorld> {
  const bucket = await cluster.get(nameOf(resources.bucket, key.namespace, key.name));
  if (!bucket || bucket.metadata.deletionTimestamp) return { bucket };
  const name = nameOf(resources.bucketContent, undefined, contentNameOf(bucket));
  const content = await cluster.get(name);
  // Secrets are only read once there is one to copy.
  if (!content || !belongsTo(content, bucket)) return { bucket };
  if (!hasCredentials(content)) return isLost(content) ? { bucket, isLost: true } : { bucket };
  const { secretRef } = content.spec;
  const [source, target] = await Promise.all([
    secretRef && cluster.get(nameOf(resources.secret, secretRef.namespace, secretRef.name)),
    cluster.get(nameOf(resources.secret, key.namespace, bucket.spec.secretName)),
  ]);
  return { bucket, content, source, target };
}

/** A content that is being deleted keeps its credentials valid until its Bucket is gone. */
function isLost({ metadata, status }: BucketContent): boolean {
  return !metadata.deletionTimestamp && (status?.phase === 'Retrying' || status?.phase === 'Failed');
}

/** Also for a content that someone has deleted: nothing is revoked until its Bucket is deleted too. */
function hasCredentials({ status }: BucketContent): boolean {
  return status?.phase === 'Ready' || status?.phase === 'Bound';
}
