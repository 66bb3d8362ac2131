import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { lengthOf } from '../support/soak.ts';
import { runFuzz } from './case-fuzz.ts';

const functions = readdirSync(new URL('../../functions/', import.meta.url)).map((file) => basename(file, '.ts'));

test('nothing that is malformed or hostile makes a function crash, lose a message, or write', async () => {
  const { code, output } = await runFuzz('--runs', lengthOf({ gate: '200', soak: '1000' }));
  const fuzzed = [...output.matchAll(/^([a-z-]+): \d+ messages and events/gm)].map(([, name]) => name);
  expect({ output, code }).toMatchObject({ code: 0 });
  expect(fuzzed.sort()).toEqual(functions.sort());
  expect(output).toMatch(/ violations 0$/m);
});

test('the same seed begins with the same', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => runFuzz('--runs', '200', '--function', 'match-claim')));
  const withoutTime = (output = '') => output.replace(/^[\d.]+ s,/m, '');
  expect(withoutTime(one?.output)).toBe(withoutTime(other?.output));
});

test.each([
  [['--runs', 'many'], 'usage: npm run fuzz'],
  [['--mutant', 'none'], 'there is no mutant none; there are: names-unchecked, '],
  [['--function', 'none'], 'there is no function none; there are: match-transfer, '],
])('%j is refused', async (args, problem) => {
  const { code, output } = await runFuzz(...args);
  expect(output).toContain(problem);
  expect(code).toBe(2);
});
