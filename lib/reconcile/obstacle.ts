/**
 * Why something does not go on, for its users. What has been reported of it ends the run, so it is a decision as well.
 *
 * retry   it may pass by itself: the message comes again after a back-off
 * wait    the cluster has to change; the change brings the next message
 * reject  the user has to change something; that brings the next message
 */
export interface Obstacle<Reason extends string = string> {
  do: 'retry' | 'wait' | 'reject';
  reason: Reason;
  message: string;
}

export function retry<Reason extends string>(reason: Reason, message: string): Obstacle<Reason> {
  return { do: 'retry', reason, message };
}

export function waitFor<Reason extends string>(reason: Reason, message: string): Obstacle<Reason> {
  return { do: 'wait', reason, message };
}

export function reject<Reason extends string>(reason: Reason, message: string): Obstacle<Reason> {
  return { do: 'reject', reason, message };
}

/** Each capability lists its reasons once. From the lists the table in docs/reasons.md is written. */
export interface ListedReason {
  /** What it means, in one sentence. */
  means: string;
  /** Where it is shown, if not as the reason of a condition. */
  shown?: 'Event' | 'log' | 'dead letter';
}
