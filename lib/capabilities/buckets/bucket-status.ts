import { resources } from '../../kubernetes/resources.ts';
import { says } from '../../reconcile/conditions.ts';
import { asSaidBy, type Verdict } from '../../reconcile/ready.ts';
import { type Report, type ReportedPart, report } from '../../reconcile/report.ts';
import type { WriteDecision } from '../../reconcile/writes.ts';
import type { Bucket } from './objects.ts';
import { type BucketObstacle, type BucketReason, bucketReasons, stalls } from './reasons.ts';

/** `Bound` is about the bucket itself, `SecretReady` about the credentials in the Bucket's namespace. */
export type BucketConditionType = 'Bound' | 'SecretReady';

export interface BucketReport extends Pick<Report, 'event' | 'measure' | 'status'> {
  reason: BucketReason;
  message: string;
}

type OnBucket = WriteDecision<'bucket', Bucket, BucketReason>;

/** The bucket itself first; where that only waits for its Secret, what the Secret waits for says more. */
function readinessOf(bucket: Bucket): Verdict {
  const [bound, secretReady] = [conditionOf(bucket, 'Bound'), conditionOf(bucket, 'SecretReady')];
  if (bound?.status === 'True' && secretReady?.status !== 'True') return asSaidBy(secretReady, stalls);
  const isForSecret = bound === undefined || bound.reason === 'AwaitingSecret';
  const isOfSecret = isForSecret && secretReady?.status === 'False';
  return asSaidBy(isOfSecret ? secretReady : bound, stalls);
}

export const bucketPart = { slot: 'bucket', resource: resources.bucket, readiness: readinessOf } as const;

/** The conditions of each type have a separate writer. */
function partOf(type: BucketConditionType): ReportedPart<'bucket', Bucket> {
  return {
    ...bucketPart,
    isOurs: (each) => each === type,
    hasGeneration: true,
    arrange: (ours, others) => [...others, ...ours].sort((one, other) => one.type.localeCompare(other.type)),
  };
}

/** The write that reports this on the Bucket; undefined if the Bucket reports it already. */
export function reportBucket(
  bucket: Bucket,
  type: BucketConditionType,
  { reason, message, event = 'Normal', measure, status }: BucketReport,
  now: Date,
): OnBucket | undefined {
  const { phase = 'Pending' } = bucket.status ?? {};
  const { isTrue, isTimed = false } = bucketReasons[reason];
  const said = [says(type, isTrue ? 'True' : 'False', reason, message)];
  const whole = { phase, observedGeneration: bucket.metadata.generation, ...status };
  // The same reason with another message is progress, and not worth an Event.
  const effects = { event, newsIn: 'reason', isTimed, measure } as const;
  return report(
    partOf(type),
    bucket,
    { said, status: whole, isDue: !contains(bucket.status, status), ...effects },
    now,
  );
}

/** Reports on the Bucket why it does not make progress; then waits. */
export function blockedBucket(
  bucket: Bucket,
  type: BucketConditionType,
  obstacle: BucketObstacle,
  now: Date,
): OnBucket | BucketObstacle {
  return reportBucket(bucket, type, { ...obstacle, event: 'Warning' }, now) ?? obstacle;
}

export function conditionOf({ status }: Bucket, type: BucketConditionType) {
  return status?.conditions?.find((condition) => condition.type === type);
}

function contains(status: object = {}, wanted: object = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => (status as Record<string, unknown>)[key] === value);
}
