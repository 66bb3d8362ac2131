import { type Receipt, receiptOf } from './letter.ts';
import type { LetterQueue } from './letter-queue.ts';
import { type VisitOptions, visit } from './visit.ts';

export interface Dropped {
  removed: Receipt[];
  /** Chosen and still there. */
  kept: Receipt[];
}

/** Deletes these letters and no others: not those that have come since, and not what somebody has now. */
export async function dropLetters(
  queue: LetterQueue,
  chosen: readonly Receipt[],
  { signal = new AbortController().signal }: Pick<VisitOptions, 'signal'> = {},
): Promise<Dropped> {
  const wanted = new Set(chosen.map(({ messageId }) => messageId));
  const removed: Receipt[] = [];
  const over = new AbortController();
  if (wanted.size === 0) return { removed, kept: [] };
  await visit(
    queue,
    async (letters, held) => {
      const theirs = letters.filter(({ messageId }) => wanted.has(messageId)).map(receiptOf);
      if (theirs.length === 0) return;
      const kept = new Set(await queue.remove(theirs));
      for (const letter of theirs.filter((each) => !kept.has(each))) {
        held.drop(letter);
        wanted.delete(letter.messageId);
        removed.push(letter);
      }
      if (wanted.size === 0) over.abort();
    },
    { signal: AbortSignal.any([signal, over.signal]) },
  );
  return { removed, kept: chosen.filter(({ messageId }) => wanted.has(messageId)).map(receiptOf) };
}
