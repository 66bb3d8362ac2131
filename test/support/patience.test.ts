import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { factorFrom } from '../../tools/processes/patience.ts';
import { until } from './patience.ts';

const folder = new URL('../', import.meta.url);
/** A user's wait with a time limit of its own, and what sets one for a test. */
const ownLimit = /\b(?:Date|performance)\.now\(\) \+ [\d_]+;|jest\.setTimeout\(|\bdeadline = [^;]*\bnow\(\) \+ [\d_]/;

test.each([
  ['', 1],
  [undefined, 1],
  ['3', 3],
  ['0.5', 0.5],
])('LONGSHORE_PATIENCE %j is the factor %d', (text, factor) => {
  expect(factorFrom(text)).toBe(factor);
});

test.each(['0', '-1', 'long', 'Infinity'])('LONGSHORE_PATIENCE %j is a mistake', (text) => {
  expect(() => factorFrom(text)).toThrow(`LONGSHORE_PATIENCE must be a number above 0, not '${text}'`);
});

test('a wait ends with its condition, or tells what it awaited and what there was instead', async () => {
  let looks = 0;
  await until('the third look', () => ++looks === 3, { pollMs: 1 });
  expect(looks).toBe(3);
  const never = until('what never comes', () => false, { limitMs: 1, pollMs: 1, found: () => ['another'] });
  await expect(never).rejects.toThrow(/^not within [\d.]+ s: what never comes: \["another"\]$/);
});

test('no test on real parts has a limit that a busy machine does not scale', () => {
  const files = ['cluster', 'deploy', 'support', 'memory'].flatMap((name) =>
    readdirSync(new URL(`${name}/`, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`),
  );
  const sources = files.filter((path) => path.endsWith('.ts') && path !== 'support/patience.test.ts');
  const withOwn = sources.filter((path) => ownLimit.test(readFileSync(new URL(path, folder), 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(withOwn).toEqual([]);
});
