import { describe, expect, test } from '@jest/globals';
import { deadlineOf, isTaken, leaseFor } from '../../../../lib/capabilities/buckets/lease.ts';
import * as stage from './bucket-stages.ts';

const { content, later, lease, now } = stage;
const held = (seconds: number, holder = 'me') => content({ status: { lease: lease(seconds, holder) } });

test('a lease lasts a minute', () => {
  expect(leaseFor('me', now)).toEqual({ holder: 'me', until: '2026-03-01T12:01:00.000Z' });
});

describe('a lease is taken', () => {
  test.each([
    ['by another, until it has run out', held(1, 'you'), true],
    ['by nobody when it has run out', held(0, 'you'), false],
    ['not by ourselves', held(60), false],
    ['not where there is none', content(), false],
    ['not by what is no time', content({ status: { lease: { holder: 'you', until: 'soon' } } }), false],
  ])('%s', (_, given, expected) => {
    expect(isTaken(given, 'me', now)).toBe(expected);
  });
});

describe('a call has until', () => {
  test.each([
    ['twelve seconds, less than a function may take', held(60), 12],
    ['ten seconds before the lease ends at the latest', held(22), 12],
    ['never, with less than that', held(21), undefined],
    ['never, without a lease', content(), undefined],
    ["never, with another's lease", held(60, 'you'), undefined],
    ["never, with another's lease that has run out", held(-1, 'you'), undefined],
  ])('%s', (_, given, seconds) => {
    expect(deadlineOf(given, 'me', now)).toBe(seconds === undefined ? undefined : later(seconds).getTime());
  });

  test('well before the next one may begin', () => {
    const given = content({ status: { lease: leaseFor('me', now) } });
    const deadline = new Date(deadlineOf(given, 'me', now) ?? 0);
    expect(isTaken(given, 'you', deadline)).toBe(true);
    expect(isTaken(given, 'you', new Date(deadline.getTime() + 9_999))).toBe(true);
  });
});
