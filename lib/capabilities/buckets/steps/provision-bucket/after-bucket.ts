import { resources } from '../../../../kubernetes/resources.ts';
import { waitFor } from '../../../../reconcile/obstacle.ts';
import { remove } from '../../../../reconcile/writes.ts';
import { isTouched } from '../../content.ts';
import { blockedContent } from '../../content-status.ts';
import type { BucketContent } from '../../objects.ts';
import type { ProvisioningDecision, ProvisioningWorld } from './world.ts';

/**
 * The Bucket is gone, and the content was not deleted: its finalizer was removed by force, or the Bucket was lost. In
 * doubt the data stays, and a person decides about it.
 */
export function afterBucket(world: ProvisioningWorld, content: BucketContent, now: Date): ProvisioningDecision {
  const { flow, releasePolicy, bucketRef, bucketIdentifier } = content.spec;
  const part = { slot: 'content', resource: resources.bucketContent } as const;
  const { identity, problems, registration } = world;
  if (registration && registration.spec.identity !== identity) return { do: 'done', reason: 'NotOurDriver' };
  // Without anything in the store there is nothing to lose.
  if (!isTouched(content)) return remove(part, content);
  if (!problems) return { do: 'done', reason: 'NotOurDriver' };
  const isKept = flow !== 'Greenfield' || releasePolicy === 'Retain';
  // The advice never destroys data.
  const advice = isKept
    ? `kubectl delete bucketcontent ${content.metadata.name} revokes access and keeps the bucket`
    : 'its contents stay as long as this BucketContent does. longshore explain BucketLost says how to keep them';
  const gone = `Bucket ${bucketRef.namespace}/${bucketRef.name} is gone and did not release bucket ${bucketIdentifier}`;
  return blockedContent(world, content, waitFor('BucketLost', `${gone}: ${advice}`), now);
}
