import { resources } from '../../kubernetes/resources.ts';
import { isSame, type Said, stamp } from '../../reconcile/conditions.ts';
import { note, patchStatus, type WriteDecision, warn } from '../../reconcile/writes.ts';
import type { Measurement } from '../../runtime/metrics.ts';
import type { Bucket } from './objects.ts';

/** `Bound` is about the bucket itself, `SecretReady` about the credentials in the Bucket's namespace. */
export type BucketConditionType = 'Bound' | 'SecretReady';

export interface BucketReport {
  type: BucketConditionType;
  isTrue?: boolean;
  reason: string;
  message: string;
  /** Someone has to act. */
  isProblem?: boolean;
  /** The condition's time is when this reason was first reported, because a time limit counts from it. */
  isTimed?: boolean;
  measure?: Measurement[];
}

const part = { slot: 'bucket', resource: resources.bucket } as const;

/** The write that reports this on the Bucket; undefined if the Bucket reports it already. Other conditions stay. */
export function report(
  bucket: Bucket,
  telling: BucketReport,
  now: Date,
  status: object = {},
): WriteDecision<'bucket', Bucket> | undefined {
  const said: Said = {
    type: telling.type,
    status: telling.isTrue ? 'True' : 'False',
    reason: telling.reason,
    message: telling.message,
  };
  const before = conditionOf(bucket, telling.type);
  const phase = bucket.status?.phase ?? 'Pending';
  if (isSame(before, said) && contains(bucket.status, status)) return undefined;
  const isCounting = !telling.isTimed || before?.reason === telling.reason;
  const stamped = stamp(said, isCounting ? bucket.status?.conditions : [], bucket.metadata.generation, now);
  const others = (bucket.status?.conditions ?? []).filter(({ type }) => type !== telling.type);
  const conditions = [...others, stamped].sort((one, other) => one.type.localeCompare(other.type));
  const announcement = (telling.isProblem ? warn : note)(bucket, telling.reason, telling.message);
  // The same reason with another message is progress, and not worth an Event.
  const announce = before?.reason === telling.reason && !telling.isProblem ? [] : [announcement];
  const body = { phase, observedGeneration: bucket.metadata.generation, ...status, conditions };
  return patchStatus(part, bucket, body, { announce, ...(telling.measure ? { measure: telling.measure } : {}) });
}

export function conditionOf({ status }: Bucket, type: BucketConditionType) {
  return status?.conditions?.find((condition) => condition.type === type);
}

function contains(status: object = {}, wanted: object): boolean {
  return Object.entries(wanted).every(([key, value]) => (status as Record<string, unknown>)[key] === value);
}
