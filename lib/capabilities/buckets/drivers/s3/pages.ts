import type { Memory } from '../../../../runtime/memory/budget.ts';
import { weightOf } from '../../../../runtime/memory/weight.ts';
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

/** A store that goes back to the page before would be asked for ever. */
export function refuseSamePage(page: string | undefined, next: string | undefined, action: string): void {
  if (page === undefined || page !== next) return;
  throw fail('unavailable', `${action}: the store returns the same page again and again`);
}
