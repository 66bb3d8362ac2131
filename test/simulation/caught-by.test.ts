import { expect, test } from '@jest/globals';
import { catchMutant } from './caught-by.ts';

/** A mutant that these seeds catch. */
function caughtBy(...seeds: number[]) {
  const tried: number[] = [];
  const run = async (seed: number) => {
    tried.push(seed);
    return seeds.includes(seed) ? { violation: 'something is wrong' } : undefined;
  };
  return { tried, run };
}

test('a mutant without a recorded seed is searched for', async () => {
  const { tried, run } = caughtBy(3, 4);
  await catchMutant('test: searched', 10, run);
  expect(tried).toEqual([1, 2, 3]);
});

test('a mutant that no seed catches is told by its name', async () => {
  const { tried, run } = caughtBy(11);
  await expect(catchMutant('test: unnoticed', 10, run)).rejects.toThrow('test: unnoticed passed 10 runs unnoticed');
  expect(tried).toHaveLength(10);
});

test('a violation must say what is wrong', async () => {
  await expect(catchMutant('test: silent', 10, async () => ({ violation: '' }))).rejects.toThrow('does not say');
});
