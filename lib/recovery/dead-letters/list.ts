import type { DeadLetter } from './dead-letter.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import { receiveAll } from './receive-all.ts';

/** A list ends at this size: a dead letter can have 1 MiB, and those of all functions are listed at once. */
const maxBytes = 32 * 1024 * 1024;

export interface ListOptions {
  /** The others are read, and left out. */
  isMeant?: (deadLetter: DeadLetter) => boolean;
  /** Ends when it has this many. */
  most?: number;
  signal?: AbortSignal;
}

/** How many dead letters were not received, and why not, as far as SQS knows. */
export interface Missed {
  /** Behind others of their group: visible when those are gone. */
  behind: number;
  /** More than were requested. */
  above: number;
  /** More than fit at once, because those received are large. */
  large?: number;
  /** Held by another command. */
  elsewhere: number;
}

export interface Listing extends Missed {
  deadLetters: DeadLetter[];
  /** How many were read that do not match. */
  others: number;
}

/** Reads a dead-letter queue, and leaves it as it is. */
export async function listDeadLetters(
  queue: DeadLetterQueue,
  { isMeant = () => true, most = Number.POSITIVE_INFINITY, signal = new AbortController().signal }: ListOptions = {},
): Promise<Listing> {
  const deadLetters: DeadLetter[] = [];
  let others = 0;
  let bytes = 0;
  const over = new AbortController();
  if (most <= 0) over.abort();
  const take = async (fresh: readonly DeadLetter[]) => {
    const meant = fresh.filter(isMeant);
    deadLetters.push(...meant);
    others += fresh.length - meant.length;
    bytes += meant.reduce((total, { body }) => total + Buffer.byteLength(body), 0);
    if (deadLetters.length >= most || bytes >= maxBytes) over.abort();
  };
  const { beyond, elsewhere } = await receiveAll(queue, take, { signal: AbortSignal.any([signal, over.signal]) });
  const tooMany = deadLetters.splice(most).length;
  const missed = { deadLetters, others, behind: 0, above: 0, elsewhere };
  if (deadLetters.length >= most) return { ...missed, above: beyond + tooMany };
  return over.signal.aborted ? { ...missed, large: beyond } : { ...missed, behind: beyond };
}
