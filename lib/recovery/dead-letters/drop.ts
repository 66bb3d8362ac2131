import { type Receipt, receiptOf } from './dead-letter.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import { type ReceiveAllOptions, receiveAll } from './receive-all.ts';

export interface DropResult {
  removed: Receipt[];
  /** Chosen and still there. */
  kept: Receipt[];
}

/** Deletes only these dead letters: none that arrived since, and none that another command holds. */
export async function dropDeadLetters(
  queue: DeadLetterQueue,
  chosen: readonly Receipt[],
  { signal = new AbortController().signal }: Pick<ReceiveAllOptions, 'signal'> = {},
): Promise<DropResult> {
  const wanted = new Set(chosen.map(({ messageId }) => messageId));
  const removed: Receipt[] = [];
  const over = new AbortController();
  if (wanted.size === 0) return { removed, kept: [] };
  await receiveAll(
    queue,
    async (deadLetters, held) => {
      const theirs = deadLetters.filter(({ messageId }) => wanted.has(messageId)).map(receiptOf);
      if (theirs.length === 0) return;
      const kept = new Set(await queue.remove(theirs));
      for (const deadLetter of theirs.filter((each) => !kept.has(each))) {
        held.drop(deadLetter);
        wanted.delete(deadLetter.messageId);
        removed.push(deadLetter);
      }
      if (wanted.size === 0) over.abort();
    },
    { signal: AbortSignal.any([signal, over.signal]) },
  );
  return { removed, kept: chosen.filter(({ messageId }) => wanted.has(messageId)).map(receiptOf) };
}
