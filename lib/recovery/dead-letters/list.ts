import type { Letter } from './letter.ts';
import type { LetterQueue } from './letter-queue.ts';
import { visit } from './visit.ts';

/** A list ends with so many bytes: letters can have 1 MiB each, and those of all functions are listed at once. */
const maxBytes = 32 * 1024 * 1024;

export interface ListOptions {
  /** The others are looked at, and left out. */
  isMeant?: (letter: Letter) => boolean;
  /** Ends when it has so many. */
  most?: number;
  signal?: AbortSignal;
}

/** How many letters there are that were not had, and why not, as far as SQS knows. */
export interface Missed {
  /** Behind others of their group: they come when those are gone. */
  behind: number;
  /** More than were asked for. */
  above: number;
  /** More than there is room for at once, as what was had is large. */
  large?: number;
  /** Somebody else has them. */
  elsewhere: number;
}

export interface Listing extends Missed {
  letters: Letter[];
  /** How many were seen that are not meant. */
  others: number;
}

/** Reads what is in a dead-letter queue, and leaves it as it is. */
export async function listLetters(
  queue: LetterQueue,
  { isMeant = () => true, most = Number.POSITIVE_INFINITY, signal = new AbortController().signal }: ListOptions = {},
): Promise<Listing> {
  const letters: Letter[] = [];
  let others = 0;
  let bytes = 0;
  const over = new AbortController();
  if (most <= 0) over.abort();
  const take = async (fresh: readonly Letter[]) => {
    const meant = fresh.filter(isMeant);
    letters.push(...meant);
    others += fresh.length - meant.length;
    bytes += meant.reduce((total, { body }) => total + Buffer.byteLength(body), 0);
    if (letters.length >= most || bytes >= maxBytes) over.abort();
  };
  const { beyond, elsewhere } = await visit(queue, take, { signal: AbortSignal.any([signal, over.signal]) });
  const tooMany = letters.splice(most).length;
  const missed = { letters, others, behind: 0, above: 0, elsewhere };
  if (letters.length >= most) return { ...missed, above: beyond + tooMany };
  return over.signal.aborted ? { ...missed, large: beyond } : { ...missed, behind: beyond };
}
