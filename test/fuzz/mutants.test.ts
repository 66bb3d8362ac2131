import { beforeAll, expect, test } from '@jest/globals';
import { runFuzz } from './case-fuzz.ts';
import { mutants } from './mutants.ts';

/** What was said about each mutant. One process tries all of them. */
const said = new Map<string, string>();
let ended = { code: -1, output: '' };
beforeAll(async () => {
  ended = await runFuzz('--runs', '20000', ...mutants.flatMap(({ name }) => ['--mutant', name]));
  for (const part of ended.output.split(/^with the mutant /m).slice(1))
    said.set(part.slice(0, part.indexOf(':')), part);
});

test.each(mutants)('the fuzzing of $function catches the mutant $name', ({ name, found }) => {
  const about = said.get(name) ?? `it was not tried: ${ended.output}`;
  expect(about).toMatch(found);
  expect(about).toMatch(/^functions 1 messages and events \d+ violations 1$/m);
  expect(ended.code).toBe(1);
});
