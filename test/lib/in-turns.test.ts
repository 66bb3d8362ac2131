import { expect, test } from '@jest/globals';
import { inTurns } from '../../lib/in-turns.ts';

test('each list has its turn, and what is left of a long one comes last', () => {
  expect(inTurns([[1, 2, 3], [], [4], [5, 6]])).toEqual([1, 4, 5, 2, 6, 3]);
  expect(inTurns([])).toEqual([]);
});

test('very many are no trouble', () => {
  const many = Array.from({ length: 200_000 }, (_, at) => at);
  expect(inTurns([many, many])).toHaveLength(400_000);
});
