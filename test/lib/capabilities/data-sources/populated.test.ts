import { describe, expect, test } from '@jest/globals';
import {
  isPopulatedReported,
  type Populated,
  populatedConditionOf,
  reportPopulated,
} from '../../../../lib/capabilities/data-sources/populated.ts';
import type { Claim, Condition } from '../../../../lib/kubernetes/objects.ts';
import { claim } from '../../../support/builders.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const earlier = '2026-03-01T11:00:00Z';
const said: Populated = { status: 'True', reason: 'Restored', message: 'all is there' };
const condition: Condition = { type: 'DataPopulated', ...said, lastTransitionTime: earlier };
const others: Condition[] = ['Resizing', 'Transferred'].map((type) => ({ ...condition, type }));
const saying = (...conditions: Condition[]) => claim({ status: { conditions } });

describe('what a claim says of its data', () => {
  test('is found among what else it says', () => {
    expect(populatedConditionOf(saying(...others, condition))).toBe(condition);
    expect([saying(...others), claim()].map(populatedConditionOf)).toEqual([undefined, undefined]);
  });

  test('is the same only in every word', () => {
    expect(isPopulatedReported(saying(condition), said)).toBe(true);
    for (const change of [{ status: 'False' as const }, { reason: 'Cloned' }, { message: 'some is there' }]) {
      expect(isPopulatedReported(saying({ ...condition, ...change }), said)).toBe(false);
    }
    expect(isPopulatedReported(saying(...others), said)).toBe(false);
  });
});

/** The conditions that a claim has after it was written on. */
function conditionsAfter(before: Claim, populated: Populated): unknown[] {
  const { write } = reportPopulated(before, populated, now) ?? {};
  expect(write).toMatchObject({ verb: 'patch', slot: 'claim', subresource: 'status' });
  const { status } = (write as { body: Pick<Claim, 'status'> }).body;
  expect(Object.keys(status ?? {})).toEqual(['conditions']);
  return status?.conditions ?? [];
}

describe('a claim that is to say something of its data', () => {
  test('says it first', () => {
    const lastTransitionTime = '2026-03-01T12:00:00Z';
    expect(conditionsAfter(claim(), said)).toEqual([{ ...condition, lastTransitionTime }]);
  });

  test('says it after what others say, which stays', () => {
    const conditions = conditionsAfter(saying(...others), said);
    expect(conditions.slice(0, 2)).toEqual(others);
    expect(conditions[2]).toMatchObject(said);
  });

  test('says it in the place of what it said before', () => {
    const [first, second] = others as [Condition, Condition];
    const conditions = conditionsAfter(saying(first, condition, second), { ...said, message: 'still' });
    expect(conditions).toEqual([first, { ...condition, message: 'still' }, second]);
  });

  test('changes the time with the status only', () => {
    const [changed] = conditionsAfter(saying(condition), { ...said, status: 'False' });
    expect(changed).toMatchObject({ lastTransitionTime: '2026-03-01T12:00:00Z' });
    const [reworded] = conditionsAfter(saying(condition), { ...said, reason: 'Cloned' });
    expect(reworded).toMatchObject({ lastTransitionTime: earlier });
  });

  test('says it once', () => {
    expect(reportPopulated(saying(condition), said, now)).toBeUndefined();
  });
});
