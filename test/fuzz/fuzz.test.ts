import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { lengthOf } from '../support/soak.ts';
import { runFuzz } from './case-fuzz.ts';

const functions = readdirSync(new URL('../../functions/', import.meta.url)).map((file) => basename(file, '.ts'));

const runs = lengthOf({ gate: '200', soak: '1000' });

let all = { code: -1, output: '' };
beforeAll(async () => {
  all = await runFuzz('--runs', runs);
});

test('nothing that is malformed or hostile makes a function crash, lose a message, or write', () => {
  const { code, output } = all;
  const fuzzed = [...output.matchAll(/^([a-z-]+): \d+ messages and events/gm)].map(([, name]) => name);
  expect({ output, code }).toMatchObject({ code: 0 });
  expect(fuzzed.sort()).toEqual(functions.sort());
  expect(output).toMatch(/ violations 0$/m);
});

test('the same seed begins with the same, whatever was fuzzed before', async () => {
  const { output } = await runFuzz('--runs', runs, '--function', 'match-claim');
  const [told, ...more] = output.split('\n').filter((line) => line.startsWith('match-claim: '));
  expect(more).toEqual([]);
  expect(all.output.split('\n')).toContain(told);
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
