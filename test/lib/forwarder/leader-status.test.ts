import { expect, test } from '@jest/globals';
import { formatLeaderStatus, type LeaderStatus, parseLeaderStatus } from '../../../lib/forwarder/leader-status.ts';

const failing = {
  function: 'match-claim',
  kind: 'PersistentVolumeClaim',
  key: 'team/data',
  reason: 'Denied',
  error: 'forbidden',
  since: '2026-11-19T03:00:00.000Z',
  attempts: 2,
};
const status: LeaderStatus = {
  ...{ holder: 'longshore/1', release: '0.1.0', cluster: 'main', capabilities: ['transfers'] },
  ...{ isFollowing: true, lagSeconds: 0, unfinished: 3, failing: [failing], failingCount: 1, retried: [] },
};

test('what is written is read again', () => {
  expect(parseLeaderStatus(formatLeaderStatus(status))).toEqual(status);
});

test.each([undefined, '', 'no JSON', '[]', '{}', '{"holder":1}', JSON.stringify({ ...status, failing: [{}] })])(
  'what is no status is none: %j',
  (text) => {
    expect(parseLeaderStatus(text)).toBeUndefined();
  },
);

test('it stays small, whatever fails, and the count says how much there is', () => {
  const long = { ...failing, key: `${'n'.repeat(63)}/${'o'.repeat(253)}`, error: 'ü€'.repeat(1_000) };
  const text = formatLeaderStatus({ ...status, failing: Array.from({ length: 500 }, () => long), failingCount: 500 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8 * 1024);
  const read = parseLeaderStatus(text);
  expect(read?.failingCount).toBe(500);
  expect(read?.failing.length).toBeGreaterThan(3);
});
