import { expect, test } from '@jest/globals';
import { didYouMean, similarTo } from '../../cli/parse/did-you-mean.ts';

const words = ['list', 'drop', 'replay', 'resync', 'redrive'];

test.each([
  ['lsit', ['list']],
  ['drp', ['drop']],
  ['RESYNC', ['resync']],
  ['redrives', ['redrive']],
  ['completely', []],
])('%s may have been meant as %j', (word, expected) => {
  expect(similarTo(word, words)).toEqual(expected);
});

test('a sentence is only added where something is similar', () => {
  expect(didYouMean('dorp', words)).toBe(' (Did you mean drop?)');
  expect(didYouMean('xyz', words)).toBe('');
});
