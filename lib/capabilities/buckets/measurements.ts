import type { Measurement } from '../../runtime/metrics.ts';
import type { Bucket, BucketContent } from './objects.ts';
import type { BucketReason } from './reasons.ts';

type Flow = BucketContent['spec']['flow'];

/** Counts a Bucket that became usable, and how long its owner waited for it. */
export function measuredBound(bucket: Bucket, flow: Flow, now: Date): Measurement[] {
  const dimensions = { Flow: flow };
  const since = Date.parse(bucket.metadata.creationTimestamp ?? '');
  const value = Number.isNaN(since) ? 0 : Math.max(0, now.getTime() - since);
  return [
    { name: 'BucketsBound', unit: 'Count', value: 1, dimensions },
    { name: 'BucketDuration', unit: 'Milliseconds', value, dimensions },
  ];
}

/** Counts an attempt that failed for good, with the reason. */
export function measuredFailed(flow: Flow, reason: BucketReason): Measurement {
  return { name: 'BucketsFailed', unit: 'Count', value: 1, dimensions: { Flow: flow, Reason: reason } };
}
