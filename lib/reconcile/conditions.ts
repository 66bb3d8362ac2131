import type { Condition } from '../kubernetes/objects.ts';

/** A condition without the times and versions that follow from the previous one. */
export interface Said<Reason extends string = string> extends Pick<Condition, 'type' | 'status' | 'message'> {
  reason: Reason;
}

export function says<Reason extends string>(
  type: string,
  status: Condition['status'],
  reason: Reason,
  message: string,
): Said<Reason> {
  return { type, status, reason, message };
}

/** A condition keeps the time at which its status last changed. */
export function stamp(said: Said, before: Condition[] = [], generation: number | undefined, now: Date): Condition {
  const same = before.find(({ type, status }) => type === said.type && status === said.status);
  const lastTransitionTime = same?.lastTransitionTime ?? now.toISOString().replace(/\.\d+/, '');
  return { ...said, ...(generation === undefined ? {} : { observedGeneration: generation }), lastTransitionTime };
}

/** True if exactly these conditions are present, in this order. */
export function areSaid(before: Condition[] = [], conditions: readonly Said[]): boolean {
  return before.length === conditions.length && conditions.every((said, index) => isSame(before[index], said));
}

export function isSame(one: Condition | undefined, { type, status, reason, message }: Said): boolean {
  return one?.type === type && one.status === status && one.reason === reason && one.message === message;
}
