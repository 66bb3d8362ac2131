import type { Letter } from './letter.ts';
import type { LetterQueue } from './letter-queue.ts';
import { visit } from './visit.ts';

export interface ListOptions {
  /** The others are looked at, and left out. */
  isMeant?: (letter: Letter) => boolean;
  /** Ends when it has so many. */
  most?: number;
  signal?: AbortSignal;
}

export interface Listing {
  letters: Letter[];
  /** How many there are that were not had. */
  beyond: number;
}

/** Reads what is in a dead-letter queue, and leaves it as it is. */
export async function listLetters(
  queue: LetterQueue,
  { isMeant = () => true, most = Number.POSITIVE_INFINITY, signal = new AbortController().signal }: ListOptions = {},
): Promise<Listing> {
  const letters: Letter[] = [];
  const over = new AbortController();
  const take = async (fresh: readonly Letter[]) => {
    letters.push(...fresh.filter(isMeant));
    if (letters.length >= most) over.abort();
  };
  const { beyond } = await visit(queue, take, { signal: AbortSignal.any([signal, over.signal]) });
  const tooMany = letters.splice(most).length;
  return { letters, beyond: beyond + tooMany };
}
