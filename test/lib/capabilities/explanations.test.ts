import { expect, test } from '@jest/globals';
import { allReasons, explained, explanationOf, explanationsOf } from '../../../lib/capabilities/explanations.ts';

test.each(Object.entries(explained))(
  'each reason of %s that people see says what to do, and no other',
  (_, { reasons, advice }) => {
    const seen = Object.entries(reasons).filter(([, { shown }]) => shown !== 'log');
    expect(seen.map(([reason]) => reason).filter((reason) => !advice[reason])).toEqual([]);
    expect(Object.keys(advice).filter((reason) => !seen.some(([each]) => each === reason))).toEqual([]);
  },
);

test.each(Object.entries(explained))('what %s advises are sentences', (_, { advice }) => {
  const texts = Object.values(advice).map((each) => each?.todo ?? '');
  expect(texts.filter((text) => !/^[A-Z].*[.]$/.test(text) || text.length > 160)).toEqual([]);
});

test('a word that several capabilities use is explained for each', () => {
  expect(explanationsOf('SourceMissing').map(({ capability }) => capability)).toEqual(['transfers', 'data-sources']);
  expect(explanationOf('SourceMissing', 'data-sources')?.means).toBe('The data source does not exist.');
  expect(explanationsOf('constructor')).toEqual([]);
  expect(new Set(allReasons).size).toBe(allReasons.length);
});

test('nobody is sent to a file that they do not have', () => {
  const texts = Object.values(explained).flatMap(({ reasons, advice }) => [
    ...Object.values(reasons).map(({ means }) => means ?? ''),
    ...Object.values(advice).map((each) => each?.todo ?? ''),
  ]);
  expect(texts.filter((text) => /\b(docs|manifests)\//.test(text))).toEqual([]);
});
