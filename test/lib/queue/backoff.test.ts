import { expect, test } from '@jest/globals';
import { allDelaysSeconds, retryDelaySeconds } from '../../../lib/queue/backoff.ts';

test('a message rests four times as long after each failure, but never longer than a quarter of an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 1000].map(retryDelaySeconds)).toEqual([1, 4, 16, 64, 256, 900, 900]);
});

test('after its last delivery a message does not rest any more', () => {
  expect([1, 2, 3, 8].map(allDelaysSeconds)).toEqual([0, 1, 5, 2_141]);
});

test('a message that has never been delivered would rest as after the first time', () => {
  expect(retryDelaySeconds(0)).toBe(1);
});
