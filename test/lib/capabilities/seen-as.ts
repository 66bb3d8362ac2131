import { expect } from '@jest/globals';
import type { ClusterObject, Condition } from '../../../lib/kubernetes/objects.ts';
import { isDerivedType } from '../../../lib/reconcile/ready.ts';
import { type KstatusVerdict, verdictOf } from '../../support/kstatus.ts';

export type Verdict = KstatusVerdict['status'];

export function conditionsOf(object: ClusterObject | undefined): Condition[] {
  return (object as { status?: { conditions?: Condition[] } } | undefined)?.status?.conditions ?? [];
}

/** What tools make of an object that says this, and what people see with it. */
export function expectSeen(object: ClusterObject | undefined, verdict: Verdict, reason: string, says = reason): void {
  if (!object) throw new Error('it is not there');
  expect(verdictOf(object).status).toBe(verdict);
  const conditions = conditionsOf(object);
  const ready = conditions.find(({ type }) => type === 'Ready');
  expect([ready?.reason, ready?.observedGeneration]).toEqual([reason, 1]);
  expect((object as { status?: { observedGeneration?: number } }).status?.observedGeneration ?? 1).toBe(1);
  // People see with it what another condition says, word for word.
  const others = conditions.filter(({ type }) => !isDerivedType(type));
  if (others.length > 0) expect(others.map(({ message }) => message)).toContain(ready?.message);
  expect([ready, ...others].map((each) => each?.reason)).toContain(says);
  const isStalled = conditions.some(({ type, status }) => type === 'Stalled' && status === 'True');
  if (verdict !== 'Terminating') expect(isStalled).toBe(verdict === 'Failed');
}
