import type { Decision } from '../../../../reconcile/step.ts';
import { report } from '../../bucket-status.ts';
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
  const telling = { type: 'Bound', reason: 'Failed', message, isProblem: true } as const;
  // What is bound stays so for its workload; what is deleted is not wanted any more.
  const isInUse = bucket?.status?.phase === 'Bound' && bucket.metadata.deletionTimestamp === undefined;
  const decision = bucket && !isInUse ? report(bucket, telling, now) : undefined;
  return decision ?? { do: 'reject', reason: 'Failed', message };
}

/** The server will not have a write. When it is the Bucket's own status, there is nowhere to say so. */
function refuse({ bucket }: BindingWorld, slot: string, text: string, now: Date): Decision<BindingWorld> {
  const message = `the ${slot} cannot be written: ${text}`;
  const telling = { type: 'Bound', reason: 'WriteRefused', message, isProblem: true } as const;
  const decision = bucket && slot !== 'bucket' ? report(bucket, telling, now) : undefined;
  return decision ?? { do: 'reject', reason: 'WriteRefused', message };
}
