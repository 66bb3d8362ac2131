import { expect, test } from '@jest/globals';
import { pagesOf } from '../../../lib/runtime/pages.ts';

/** Pages by what they are asked for with, each of which says what the next one is asked for with. */
async function read(nexts: Record<string, string | undefined>, most = 10) {
  const asked: (string | undefined)[] = [];
  const pages = pagesOf(
    async (from) => {
      asked.push(from);
      return { next: nexts[from ?? 'first'] };
    },
    ({ next }) => next,
    () => new Error('the same page'),
  );
  let count = 0;
  for await (const _ of pages) {
    count += 1;
    if (count === most) break;
  }
  return { asked, count };
}

test('each page is asked for by what the one before said, up to one that says nothing', async () => {
  expect(await read({ first: 'b', b: 'c', c: undefined })).toEqual({ asked: [undefined, 'b', 'c'], count: 3 });
  expect(await read({ first: '' })).toEqual({ asked: [undefined], count: 1 });
});

test('no page is asked for that nobody wants', async () => {
  expect(await read({ first: 'b', b: 'c' }, 1)).toEqual({ asked: [undefined], count: 1 });
});

test('a page that says to begin with itself is not asked for again', async () => {
  await expect(read({ first: 'b', b: 'b' })).rejects.toThrow('the same page');
});
