import type { Condition } from '../../kubernetes/objects.ts';
import { resources } from '../../kubernetes/resources.ts';
import { stamp } from '../../reconcile/conditions.ts';
import type { Announcement } from '../../reconcile/step.ts';
import { note, patchStatus, type WriteDecision, warn } from '../../reconcile/writes.ts';
import { measuredFailed } from './measurements.ts';
import type { BucketContent, ContentPhase } from './objects.ts';

/** What a content is to say of itself; what is not given stays as it is. */
export interface ContentReport {
  phase?: ContentPhase;
  reason: string;
  message: string;
  /** Somebody has to act. */
  isProblem?: boolean;
  /** What goes with it, and is no news of its own. */
  also?: { failedAt?: string | null; emptied?: number } & Partial<typeof notStarted>;
}

/** As if the store had never been called. */
export const notStarted = { startedAt: null, startedBy: null, settledParameters: null };

const part = { slot: 'content', resource: resources.bucketContent } as const;
const type = 'Provisioned';

/**
 * The write that makes a content say so, and gives back the store's lease if it is this worker's; undefined when it is said
 * and the lease given back. So what a call has come to is written exactly once.
 */
export function reportContent(
  { content, worker }: { content: BucketContent; worker: string },
  saying: ContentReport,
  now: Date,
): WriteDecision<'content', BucketContent> | undefined {
  const { status: before = {}, metadata } = content;
  const { phase = before.phase, reason, message, also = {}, isProblem = false } = saying;
  const last = reasonOf(content);
  const isTold = before.phase === phase && last === reason && before.message === message;
  const isHolder = before.lease?.holder === worker;
  if (isTold && !isHolder) return undefined;
  const conditions = [conditionOf(content, phase, { reason, message }, now)];
  const lease = isHolder ? { lease: null } : {};
  const status = { phase, message, observedGeneration: metadata.generation, conditions, ...lease, ...also };
  const announcement = (isProblem ? warn : note)(content, reason, message);
  const measure = phase === 'Failed' && !isTold ? [measuredFailed(content.spec.flow, reason)] : [];
  return patchStatus(part, content, status, { announce: isTold ? [] : announced(announcement, last), measure });
}

export function conditionOf(
  { status, metadata }: BucketContent,
  phase: ContentPhase | undefined,
  { reason, message }: { reason: string; message: string },
  now: Date,
): Condition {
  const isReady = phase === 'Ready' || phase === 'Bound';
  const said = { type, status: isReady ? ('True' as const) : ('False' as const), reason, message };
  return stamp(said, status?.conditions, metadata.generation, now);
}

/** Why a content is in the state that it is in. */
export function reasonOf({ status }: BucketContent): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.reason;
}

/** The same reason in other words is progress, and no news. */
function announced(announcement: Announcement, before: string | undefined): Announcement[] {
  return announcement.type === 'Normal' && announcement.reason === before ? [] : [announcement];
}
