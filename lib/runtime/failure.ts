import { NoAccess } from '../kubernetes/access/no-access.ts';
import { UnknownCluster } from '../kubernetes/clusters.ts';
import { ClusterError, type ErrorClass } from '../kubernetes/errors.ts';
import { OutOfTime } from '../queue/time-limit.ts';
import { LaterMessage, MalformedMessage } from '../queue/unusable-message.ts';
import type { Measurement } from './metrics.ts';

/** Why processing a message failed. Used as a metric dimension: a small closed set, never user input. */
export type FailureReason =
  | 'Denied'
  | 'Unauthorized'
  | 'NoAccess'
  | 'Throttled'
  | 'Unreachable'
  | 'Oversized'
  | 'Contended'
  | 'Rejected'
  | 'Retry'
  | 'Malformed'
  | 'LaterMessage'
  | 'UnknownCluster'
  | 'Mistake';

/**
 * What someone must act on before the messages are dead letters: an urgent failure does not end by itself, and an outage may.
 * The others end by themselves, or their object reports them.
 */
const alarming: Partial<Record<FailureReason, 'UrgentFailures' | 'OutageFailures'>> = {
  Denied: 'UrgentFailures',
  Rejected: 'UrgentFailures',
  Mistake: 'UrgentFailures',
  Malformed: 'UrgentFailures',
  LaterMessage: 'UrgentFailures',
  UnknownCluster: 'UrgentFailures',
  Unauthorized: 'OutageFailures',
  NoAccess: 'OutageFailures',
  Throttled: 'OutageFailures',
  Unreachable: 'OutageFailures',
};

/** Counts failed messages: as such, and for the alarm that watches failures of this kind. */
export function measuredFailures(
  value: number,
  dimensions: { Cluster: string; Reason: FailureReason; Function: string },
) {
  const watched = alarming[dimensions.Reason];
  const names = ['MessagesFailed' as const, ...(watched ? [watched] : [])];
  return names.map((name): Measurement => ({ name, unit: 'Count', value, dimensions }));
}

/** The object already reports the failure: the message is to be retried, and finally kept as a dead letter. */
export class RetryRequested extends Error {}

const reasons: Record<ErrorClass, FailureReason> = {
  gone: 'Contended',
  exists: 'Contended',
  conflict: 'Contended',
  rejected: 'Rejected',
  denied: 'Denied',
  unauthorized: 'Unauthorized',
  throttled: 'Throttled',
  oversized: 'Oversized',
  unreachable: 'Unreachable',
  expired: 'Unreachable',
};

export function reasonOf(error: unknown): FailureReason {
  if (error instanceof ClusterError) return reasons[error.class];
  if (error instanceof RetryRequested) return 'Retry';
  if (error instanceof MalformedMessage) return 'Malformed';
  if (error instanceof LaterMessage) return 'LaterMessage';
  if (error instanceof UnknownCluster) return 'UnknownCluster';
  if (error instanceof OutOfTime) return 'Unreachable';
  // A handler calls AWS for the credentials of clusters; errors of bucket stores do not get here.
  return error instanceof NoAccess || isOfAws(error) ? 'NoAccess' : 'Mistake';
}

function isOfAws(error: unknown): boolean {
  return error instanceof Error && '$metadata' in error;
}
