import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../lib/kubernetes/objects.ts';
import { areSaid, isSame, type Said, stamp } from '../../../lib/reconcile/conditions.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const said: Said = { type: 'Moved', status: 'False', reason: 'SourceHeld', message: 'held' };
const before: Condition = { ...said, lastTransitionTime: '2026-01-01T00:00:00Z' };

describe('a condition', () => {
  test('that is new has the time of now, in whole seconds', () => {
    expect(stamp(said, undefined, 3, now)).toEqual({
      ...said,
      observedGeneration: 3,
      lastTransitionTime: '2026-03-01T12:00:00Z',
    });
  });

  test('whose status stays keeps its time, whatever else changes', () => {
    expect(stamp({ ...said, reason: 'VolumeTaken' }, [before], 0, now)).toMatchObject({
      reason: 'VolumeTaken',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
  });

  test('whose status changes has the time of now', () => {
    expect(stamp({ ...said, status: 'True' }, [before], 0, now).lastTransitionTime).toBe('2026-03-01T12:00:00Z');
  });

  test('does not take the time of another one', () => {
    expect(stamp({ ...said, type: 'Complete' }, [before], 0, now).lastTransitionTime).toBe('2026-03-01T12:00:00Z');
  });

  test('of an object that counts no generations has none', () => {
    expect(stamp(said, [], undefined, now)).not.toHaveProperty('observedGeneration');
  });
});

test.each<[string, Partial<Said>]>([
  ['type', { type: 'Complete' }],
  ['status', { status: 'True' }],
  ['reason', { reason: 'Other' }],
  ['message', { message: 'other' }],
])('what differs in its %s is not the same', (_, other) => {
  expect(isSame(before, said)).toBe(true);
  expect(isSame(before, { ...said, ...other })).toBe(false);
  expect(isSame(undefined, said)).toBe(false);
});

test('conditions are said already only when they are all there, in their order, and no others', () => {
  const complete: Said = { ...said, type: 'Complete' };
  const both = [before, { ...before, type: 'Complete' }];
  expect(areSaid(both, [said, complete])).toBe(true);
  expect(areSaid(both.toReversed(), [said, complete])).toBe(false);
  expect(areSaid(both, [said])).toBe(false);
  expect(areSaid([before], [said, complete])).toBe(false);
  expect(areSaid(undefined, [said])).toBe(false);
  expect(areSaid(undefined, [])).toBe(true);
});
