import { expect, test } from '@jest/globals';
import { distance, suggestions } from '../../../cli/operate/suggest.ts';

test.each([
  ['', '', 0],
  ['data', 'data', 0],
  ['data', 'date', 1],
  ['data', 'dta', 1],
  ['data', 'dtaa', 1],
  ['data', 'photos', 5],
  ['', 'abc', 3],
])('%j is this far from %j: %i', (one, other, expected) => {
  expect(distance(one, other)).toBe(expected);
  expect(distance(other, one)).toBe(expected);
});

test('close words and beginnings are suggested, closest first, and nothing else', () => {
  expect(suggestions('datta', ['data', 'database', 'photos', 'Data2'])).toEqual(['data', 'Data2']);
  expect(suggestions('move', ['move-data', 'mover', 'other'])).toEqual(['move-data', 'mover']);
  expect(suggestions('x', ['alpha'])).toEqual([]);
});
