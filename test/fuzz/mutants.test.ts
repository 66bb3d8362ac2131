import { expect, test } from '@jest/globals';
import { runFuzz } from './case-fuzz.ts';
import { mutants } from './mutants.ts';

test.each(mutants)('the fuzzing of $function catches the mutant $name', async ({ name, found }) => {
  const { code, output } = await runFuzz('--runs', '20000', '--mutant', name);
  expect(output).toMatch(found);
  expect(output).toMatch(/^functions 1 messages and events \d+ violations 1$/m);
  expect(code).toBe(1);
});
