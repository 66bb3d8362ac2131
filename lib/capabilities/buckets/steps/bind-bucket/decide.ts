import { reject } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { blockedBucket } from '../../bucket-status.ts';
import { isHeld } from '../../content.ts';
import { bind } from './bind.ts';
import type { BindingWorld } from './read.ts';
import { release } from './release.ts';

/** From a Bucket to a BucketContent that is bound to it; or, once the Bucket is deleted, to nothing that is left of both. */
export function decide(world: BindingWorld, now: Date): Decision<BindingWorld> {
  const { bucket, refused } = world;
  if (!bucket) return { do: 'done', reason: 'BucketGone' };
  if (refused) return refuse(world, refused.slot, refused.message, now);
  if (!bucket.metadata.deletionTimestamp) return bind(world, bucket, now);
  return isHeld(bucket) ? release(world, bucket, now) : { do: 'done', reason: 'NotHeld' };
}

export function decideFailed({ bucket }: BindingWorld, message: string, now: Date): Decision<BindingWorld> {
  const failed = reject('Failed', message);
  // What is bound stays so for its workload; what is deleted is not wanted any more.
  const isInUse = bucket?.status?.phase === 'Bound' && bucket.metadata.deletionTimestamp === undefined;
  return bucket && !isInUse ? blockedBucket(bucket, 'Bound', failed, now) : failed;
}

/** The server will not have a write. When it is the Bucket's own status, there is nowhere to say so. */
function refuse({ bucket }: BindingWorld, slot: string, text: string, now: Date): Decision<BindingWorld> {
  const refused = reject('WriteRefused', `the ${slot} cannot be written: ${text}`);
  return bucket && slot !== 'bucket' ? blockedBucket(bucket, 'Bound', refused, now) : refused;
}
