import type { Measurement } from '../../runtime/metrics.ts';
import type { Bucket, BucketContent } from './objects.ts';
import type { BucketReason } from './reasons.ts';

type Flow = BucketContent['spec']['flow'];

/** One more Bucket that can be used, and how long its owner has waited for that. */
export function measuredBound(bucket: Bucket, flow: Flow, now: Date): Measurement[] {
  const dimensions = { Flow: flow };
  const since = Date.parse(bucket.metadata.creationTimestamp ?? '');
  const value = Number.isNaN(since) ? 0 : Math.max(0, now.getTime() - since);
  return [
    { name: 'BucketsBound', unit: 'Count', value: 1, dimensions },
    { name: 'BucketDuration', unit: 'Milliseconds', value, dimensions },
  ];
}

/** One more attempt that failed for good, and why. */
export function measuredFailed(flow: Flow, reason: BucketReason): Measurement {
  return { name: 'BucketsFailed', unit: 'Count', value: 1, dimensions: { Flow: flow, Reason: reason } };
}
