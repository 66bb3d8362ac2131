import { reject } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { blockedBucket } from '../../bucket-status.ts';
import { isHeld } from '../../content.ts';
import { bind } from './bind.ts';
import type { BindingWorld } from './read.ts';
import { release } from './release.ts';

/**
 * Takes a Bucket to a BucketContent that is bound to it; after the Bucket's deletion, until nothing is left of either.
 */
export function decide(world: BindingWorld, now: Date): Decision<BindingWorld> {
  const { bucket, refused } = world;
  if (!bucket) return { do: 'done', reason: 'BucketGone' };
  if (refused) return refuse(world, refused.slot, refused.message, now);
  if (!bucket.metadata.deletionTimestamp) return bind(world, bucket, now);
  return isHeld(bucket) ? release(world, bucket, now) : { do: 'done', reason: 'NotHeld' };
}

export function decideFailed({ bucket }: BindingWorld, message: string, now: Date): Decision<BindingWorld> {
  const failed = reject('Failed', message);
  // A bound Bucket stays so for its workload; a deleted one is not needed any more.
  const isInUse = bucket?.status?.phase === 'Bound' && bucket.metadata.deletionTimestamp === undefined;
  return bucket && !isInUse ? blockedBucket(bucket, 'Bound', failed, now) : failed;
}

/** The API server refuses a write. If it is the one to the Bucket's own status, it cannot be reported. */
function refuse({ bucket }: BindingWorld, slot: string, text: string, now: Date): Decision<BindingWorld> {
  const refused = reject('WriteRefused', `the ${slot} cannot be written: ${text}`);
  return bucket && slot !== 'bucket' ? blockedBucket(bucket, 'Bound', refused, now) : refused;
}
