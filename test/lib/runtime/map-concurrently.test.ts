import { expect, test } from '@jest/globals';
import { mapConcurrently } from '../../../lib/runtime/map-concurrently.ts';

test('no more is worked on at a time than may be, and what is slow holds up no other', async () => {
  const slow = Promise.withResolvers<void>();
  const begun: number[] = [];
  const done: number[] = [];
  const work = mapConcurrently([0, 1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 0) await slow.promise;
    done.push(item);
    if (item === 4) slow.resolve();
    return item * 10;
  });
  expect(begun).toEqual([0, 1]);
  expect(await work).toEqual([0, 10, 20, 30, 40]);
  expect(done).toEqual([1, 2, 3, 4, 0]);
});

test('what fails is told', async () => {
  const work = mapConcurrently([0, 1], 5, async (item) => {
    if (item === 1) throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
});
