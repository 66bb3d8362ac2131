import { resources } from '../../kubernetes/resources.ts';
import { says } from '../../reconcile/conditions.ts';
import { asSaidBy, type Verdict } from '../../reconcile/ready.ts';
import { type Report, type ReportedPart, report } from '../../reconcile/report.ts';
import { patchDerived } from '../../reconcile/status.ts';
import type { WriteDecision } from '../../reconcile/writes.ts';
import { measuredFailed } from './measurements.ts';
import type { BucketContent } from './objects.ts';
import { type BucketObstacle, type BucketReason, bucketReasons, stalls } from './reasons.ts';

/** As if the store had never been called. */
export const notStarted = { startedAt: null, startedBy: null, settledParameters: null };

/** Fields that are written with a report, and are no news of their own. */
type AlsoReported = { failedAt?: string | null; emptied?: number } & Partial<typeof notStarted>;

/** The state to report on a content. */
export interface ContentReport extends Pick<Report, 'event'> {
  reason: BucketReason;
  message: string;
  also?: AlsoReported;
}

type OnContent = WriteDecision<'content', BucketContent, BucketReason>;

export const contentType = 'Provisioned';
/** All that write the status of a content write it as this part. */
export const contentPart: ReportedPart<'content', BucketContent> = {
  slot: 'content',
  resource: resources.bucketContent,
  readiness: readinessOf,
  isOurs: () => true,
  hasGeneration: true,
};

/**
 * The write that reports this on a content, and releases the store's lease if it is this worker's; undefined if both
 * are done already. So the result of a call is written exactly once.
 */
export function reportContent(
  { worker }: { worker: string },
  content: BucketContent,
  { reason, message, event = 'Normal', also = {} }: ContentReport,
  now: Date,
): OnContent | undefined {
  const { status: before = {}, metadata } = content;
  const phase = bucketReasons[reason].phase ?? before.phase;
  const isReported = before.phase === phase && reasonOf(content) === reason && before.message === message;
  const isHolder = before.lease?.holder === worker;
  if (isReported && !isHolder) return patchDerived(contentPart, content, now);
  const said = [says(contentType, phase === 'Ready' || phase === 'Bound' ? 'True' : 'False', reason, message)];
  const lease = isHolder ? { lease: null } : {};
  const status = { phase, message, observedGeneration: metadata.generation, ...lease, ...also };
  if (isReported) return report(contentPart, content, { said, status, isDue: true }, now);
  const measure = phase === 'Failed' ? [measuredFailed(content.spec.flow, reason)] : [];
  // The same reason with another message is progress, and no news.
  return report(contentPart, content, { said, status, isDue: true, event, newsIn: 'reason', measure }, now);
}

/** Reports on a content why it does not make progress; then waits. */
export function blockedContent(
  world: { worker: string },
  content: BucketContent,
  obstacle: BucketObstacle,
  now: Date,
  also: AlsoReported = {},
): OnContent | BucketObstacle {
  return reportContent(world, content, { ...obstacle, event: 'Warning', also }, now) ?? obstacle;
}

/** A bucket that nobody releases may work, but nothing goes on until a person decides. No driver reports on a static bucket. */
function readinessOf(content: BucketContent): Verdict {
  const { phase } = content.status ?? {};
  const said = content.status?.conditions?.find(({ type }) => type === contentType);
  if (said) return asSaidBy(said.reason === 'BucketLost' ? { ...said, status: 'False' } : said, stalls);
  if (phase === 'Released')
    return { status: 'False', reason: 'Released', message: 'the Bucket does not use it any more' };
  return phase === 'Ready' || phase === 'Bound'
    ? { status: 'True', reason: 'Provisioned', message: 'the credentials come from a Secret of the administrator' }
    : { status: 'False', reason: 'Provisioning', message: 'the driver is working' };
}

/** The reason of a content's present state. */
export function reasonOf({ status }: BucketContent): string | undefined {
  return status?.conditions?.find((condition) => condition.type === contentType)?.reason;
}
