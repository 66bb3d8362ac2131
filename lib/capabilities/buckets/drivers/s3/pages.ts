import type { Memory } from '../../../../runtime/memory/budget.ts';
import { weightOf } from '../../../../runtime/memory/weight.ts';
import { pagesOf } from '../../../../runtime/pages.ts';
import { retryRead } from './batched-reads.ts';
import { fail } from './errors.ts';

/**
 * Copies the kept parts of a response, once there is memory for them: a substring may keep the whole response in
 * memory, and a store may return short responses without end.
 */
export async function copyKept<Kept extends object>(
  found: readonly Kept[],
  memory: Memory | undefined,
): Promise<Kept[]> {
  const copies = structuredClone(found) as Kept[];
  await memory?.hold().resize(weightOf(copies));
  return copies;
}

/** The pages of one of the store's lists, each read with `retryRead`. */
export function pagesOfStore<Page>(
  action: string,
  read: (from: string | undefined) => Promise<Page>,
  nextIn: (page: Page) => string | undefined,
): AsyncGenerator<Page, void> {
  const samePage = () => fail('unavailable', `${action}: the store returns the same page again and again`);
  return pagesOf((from) => retryRead(() => read(from)), nextIn, samePage);
}
