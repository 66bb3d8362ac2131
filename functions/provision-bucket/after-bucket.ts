import { reportContent } from '../../lib/buckets/content-status.ts';
import type { BucketContent } from '../../lib/buckets/objects.ts';
import { resources } from '../../lib/cluster/resources.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import { remove } from '../../lib/reconcile/writes.ts';
import type { ProvisioningWorld } from './read.ts';

/**
 * The Bucket is gone, and nobody has deleted the content: its finalizer was taken off by force, or the Bucket was lost. In
 * doubt the data stays, and a person says what is to become of it.
 */
export function afterBucket({ worker }: ProvisioningWorld, content: BucketContent, now: Date): Decision {
  const { flow, releasePolicy, provisioner, bucketRef, bucketIdentifier } = content.spec;
  const part = { slot: 'content', resource: resources.bucketContent };
  // With nothing in the store there is nothing to lose.
  if (!provisioner || content.status?.startedAt === undefined) return remove(part, content);
  const isKept = flow !== 'Greenfield' || releasePolicy === 'Retain';
  const effect = isKept ? 'takes access back and keeps the bucket' : 'deletes the bucket and all that is in it';
  const message =
    `Bucket ${bucketRef.namespace}/${bucketRef.name} is gone without having released bucket ${bucketIdentifier}: ` +
    `kubectl delete bucketcontent ${content.metadata.name} ${effect}`;
  const saying = { reason: 'BucketLost', message, isProblem: true };
  return reportContent({ content, worker }, saying, now) ?? { do: 'wait', reason: 'BucketLost', message };
}
