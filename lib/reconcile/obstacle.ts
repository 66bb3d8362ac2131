/**
 * The reason why something makes no progress, for its users. Once it is reported the run ends, so it is a decision too.
 *
 * retry   it may pass without a change: the message is delivered again after a back-off
 * wait    the cluster has to change; the change causes the next message
 * reject  the user has to change something; that causes the next message
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

/** Each capability lists its reasons once. The table in docs/reasons.md is generated from the lists. */
export interface ListedReason {
  /** Its meaning, in one sentence. */
  means: string;
  /** Nothing will change until a person acts, and waiting for others is not the cause: tools count it as a failure. */
  stalls?: true;
  /** The place where it is shown, if not as the reason of a condition. */
  shown?: 'Event' | 'log' | 'dead letter';
}

/** Those of a list of reasons that people see. */
export type Shown<List extends Record<string, ListedReason>> = {
  [Reason in keyof List]: List[Reason] extends { shown: 'log' } ? never : Reason;
}[keyof List];
