import { describe, expect, test } from '@jest/globals';
import { amountOf } from '../../../lib/kubernetes/quantity.ts';

describe('the amount of a quantity', () => {
  test.each<[string, number]>([
    ['0', 0],
    ['1', 1],
    ['+1', 1],
    ['-1', -1],
    ['1.', 1],
    ['.5', 0.5],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['1Ki', 1024],
    ['1Mi', 2 ** 20],
    ['2Gi', 2 ** 31],
    ['1Ti', 2 ** 40],
    ['1Pi', 2 ** 50],
    ['1Ei', 2 ** 60],
    ['1k', 1e3],
    ['1M', 1e6],
    ['1G', 1e9],
    ['1T', 1e12],
    ['1P', 1e15],
    ['1E', 1e18],
    ['5m', 0.005],
    ['1e3', 1e3],
    ['1E3', 1e3],
    ['12e-1', 1.2],
    ['5e+2', 500],
  ])('%s', (quantity, amount) => {
    expect(amountOf(quantity)).toBeCloseTo(amount, 9);
  });
});

test.each([undefined, '', ' ', '1 Gi', 'Gi', '1gi', '1KI', '1Kib', '1,5Gi', '0x10', '1e', '1e3Gi', '.', '--1', 'ten'])(
  'what is none has no amount: %p',
  (quantity) => {
    expect(amountOf(quantity)).toBeUndefined();
  },
);

test('the same amount in other words is the same', () => {
  expect(amountOf('1Gi')).toBe(amountOf('1024Mi'));
  expect(amountOf('1Gi')).toBe(amountOf('1073741824'));
  expect(amountOf('1G')).toBe(amountOf('1000M'));
  expect(amountOf('1Gi')).toBeGreaterThan(amountOf('1G') ?? Number.POSITIVE_INFINITY);
});
