import type { Condition } from '../../kubernetes/objects.ts';
import { resources } from '../../kubernetes/resources.ts';
import { type ReportedPart, report, type Said, stamp } from '../../reconcile/conditions.ts';
import type { WriteDecision } from '../../reconcile/writes.ts';
import { measuredFailed } from './measurements.ts';
import type { BucketContent, ContentPhase } from './objects.ts';
import { type BucketObstacle, type BucketReason, bucketReasons } from './reasons.ts';

/** What a content is to say of itself. */
export interface ContentReport {
  reason: BucketReason;
  message: string;
  /** Somebody has to act. */
  isProblem?: boolean;
  also?: AlsoReported;
}

/** What goes with a report, and is no news of its own. */
type AlsoReported = { failedAt?: string | null; emptied?: number } & Partial<typeof notStarted>;

/** As if the store had never been called. */
export const notStarted = { startedAt: null, startedBy: null, settledParameters: null };

const type = 'Provisioned';
const part: ReportedPart<'content', BucketContent> = {
  slot: 'content',
  resource: resources.bucketContent,
  isOurs: () => true,
  hasGeneration: true,
};

interface Worker {
  worker: string;
}
type OnContent = WriteDecision<'content', BucketContent, BucketReason>;

/**
 * The write that makes a content say so, and gives back the store's lease if it is this worker's; undefined when it is said
 * and the lease given back. So what a call has come to is written exactly once.
 */
export function reportContent(
  { worker }: Worker,
  content: BucketContent,
  { reason, message, isProblem = false, also = {} }: ContentReport,
  now: Date,
): OnContent | undefined {
  const { status: before = {}, metadata } = content;
  const phase = bucketReasons[reason].phase ?? before.phase;
  const isTold = before.phase === phase && reasonOf(content) === reason && before.message === message;
  const isHolder = before.lease?.holder === worker;
  if (isTold && !isHolder) return undefined;
  const about = {
    said: [sayingOf(phase, reason, message)],
    status: { phase, message, observedGeneration: metadata.generation, ...(isHolder ? { lease: null } : {}), ...also },
    isDue: true,
    event: isTold ? undefined : isProblem ? ('Warning' as const) : ('Normal' as const),
    // The same reason in other words is progress, and no news.
    newsIn: 'reason' as const,
    measure: phase === 'Failed' && !isTold ? [measuredFailed(content.spec.flow, reason)] : [],
  };
  return report(part, content, about, now);
}

/** Reports on a content why it does not go on; then waits. */
export function blockedContent(
  worker: Worker,
  content: BucketContent,
  obstacle: BucketObstacle,
  now: Date,
  also: AlsoReported = {},
): OnContent | BucketObstacle {
  return reportContent(worker, content, { ...obstacle, isProblem: true, also }, now) ?? obstacle;
}

/** What a content that is being worked on says, where that is written together with something else. */
export function conditionFor(
  { status, metadata }: BucketContent,
  reason: BucketReason,
  message: string,
  now: Date,
): Condition {
  const said = sayingOf(bucketReasons[reason].phase ?? status?.phase, reason, message);
  return stamp(said, status?.conditions, metadata.generation, now);
}

function sayingOf(phase: ContentPhase | undefined, reason: BucketReason, message: string): Said<BucketReason> {
  return { type, status: phase === 'Ready' || phase === 'Bound' ? 'True' : 'False', reason, message };
}

/** Why a content is in the state that it is in. */
export function reasonOf({ status }: BucketContent): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.reason;
}
