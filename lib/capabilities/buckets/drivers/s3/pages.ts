import type { Memory } from '../../../../runtime/memory/budget.ts';
import { weightOf } from '../../../../runtime/memory/weight.ts';
import { pagesOf } from '../../../../runtime/pages.ts';
import { retryRead } from './batched-reads.ts';
import { fail } from './errors.ts';

/**
 * Copies of what is kept of an answer, when there is memory for them: a part of a text may keep all of it, and each answer may be
 * short of a store that has no last one.
 */
export async function copyKept<Kept extends object>(
  found: readonly Kept[],
  memory: Memory | undefined,
): Promise<Kept[]> {
  const copies = structuredClone(found) as Kept[];
  await memory?.hold().resize(weightOf(copies));
  return copies;
}

/** The pages of a list of the store, each asked for retryRead. */
export function pagesOfStore<Page>(
  action: string,
  read: (from: string | undefined) => Promise<Page>,
  nextIn: (page: Page) => string | undefined,
): AsyncGenerator<Page, void> {
  const samePage = () => fail('unavailable', `${action}: the store returns the same page again and again`);
  return pagesOf((from) => retryRead(() => read(from)), nextIn, samePage);
}
