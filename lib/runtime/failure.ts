import { NoAccess } from '../kubernetes/access/no-access.ts';
import { UnknownCluster } from '../kubernetes/clusters.ts';
import { ClusterError, type ErrorClass } from '../kubernetes/errors.ts';
import { OutOfTime } from '../queue/time-limit.ts';
import { LaterMessage, MalformedMessage } from '../queue/unusable-message.ts';

/** Why the work on a message failed: each is a dimension of a metric, so they are few, and none is a text of anybody's. */
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

/** The object says already what failed: the message is to come again, and in the end to be kept as a dead letter. */
export class TriedInVain extends Error {}

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
  if (error instanceof TriedInVain) return 'Retry';
  if (error instanceof MalformedMessage) return 'Malformed';
  if (error instanceof LaterMessage) return 'LaterMessage';
  if (error instanceof UnknownCluster) return 'UnknownCluster';
  if (error instanceof OutOfTime) return 'Unreachable';
  // In a handler AWS is asked for credentials of clusters; what stores of buckets answer is no error here.
  return error instanceof NoAccess || isOfAws(error) ? 'NoAccess' : 'Mistake';
}

function isOfAws(error: unknown): boolean {
  return error instanceof Error && '$metadata' in error;
}
