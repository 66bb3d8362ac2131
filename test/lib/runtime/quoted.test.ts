import { expect, test } from '@jest/globals';
import { quoted } from '../../../lib/runtime/quoted.ts';

let deep: unknown = [];
for (let level = 0; level < 100_000; level += 1) deep = [deep];

test.each([
  ['a text', 'data', '"data"'],
  ['a text of several lines', 'a\nb', '"a\\nb"'],
  ['nothing', undefined, 'nothing'],
  ['a number', 7, '7'],
  ['an object', { a: [1] }, '{"a":[1]}'],
  ['a long text', 'x'.repeat(1_000), `"${'x'.repeat(99)}…`],
  ['a long list', Array(100).fill(1), `${`[${'1,'.repeat(50)}`.slice(0, 100)}…`],
  ['what is nested too deep', deep, 'something that cannot be written down'],
])('%s is one short line', (_, value, written) => {
  expect(quoted(value)).toBe(written);
});
