import { expect, test } from '@jest/globals';
import { roundRobin } from '../../lib/round-robin.ts';

test('each list has its turn, and what is left of a long one comes last', () => {
  expect(roundRobin([[1, 2, 3], [], [4], [5, 6]])).toEqual([1, 4, 5, 2, 6, 3]);
  expect(roundRobin([])).toEqual([]);
});

test('very many are no trouble', () => {
  const many = Array.from({ length: 200_000 }, (_, at) => at);
  expect(roundRobin([many, many])).toHaveLength(400_000);
});
