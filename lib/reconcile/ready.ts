import type { Condition } from '../kubernetes/objects.ts';
import type { Said } from './conditions.ts';
import type { Subject } from './step.ts';

/**
 * The conditions that tools understand without knowing our kinds, by the rules of kstatus: `Ready` sums up all others, and
 * `Stalled` is present, and True, only while nothing but a person can help. They follow from the rest of the status alone.
 */
const readyType = 'Ready';
const stalledType = 'Stalled';

export interface Verdict extends Omit<Said, 'type'> {
  isStalled?: boolean;
}

/** Says from the rest of its status if an object is ready. */
export type Readiness<T extends Subject> = (object: T) => Verdict;

/** The state of an object that no step has reported on; its definition has it as the default. */
export const pending: Verdict = {
  status: 'Unknown',
  reason: 'Pending',
  message: 'Longshore has not looked at this object yet',
};

/** True for the conditions that are derived, for writers of the others. */
export function isDerivedType(type: string): boolean {
  return type === readyType || type === stalledType;
}

/** What another condition says, word for word; pending without one. */
export function asSaidBy(condition: Condition | undefined, stalls: (reason: string) => boolean): Verdict {
  if (!condition) return pending;
  const { status, reason = '', message = '' } = condition;
  return { status, reason, message, isStalled: status !== 'True' && stalls(reason) };
}

export function derivedFrom({ isStalled = false, ...verdict }: Verdict): Said[] {
  const ready = { type: readyType, ...verdict };
  return isStalled ? [ready, { ...ready, type: stalledType, status: 'True' }] : [ready];
}

export function readyConditionOf({ status }: Subject): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === readyType);
}

/** True if an earlier version has reported on it, which knew no such condition. */
export function lacksReady(object: Subject): boolean {
  return object.status !== undefined && readyConditionOf(object) === undefined;
}
