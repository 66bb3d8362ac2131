import { HeldLetters } from './held-letters.ts';
import type { Letter } from './letter.ts';
import type { LetterQueue } from './letter-queue.ts';

/** More than this many cannot be kept hidden by renewing: the visit ends with them. */
const maxHeld = 10_000;
/** Letters that come again: their time was up before it could be renewed, or they were given back to be had again. */
const maxOldBatches = 20;

export interface VisitOptions {
  /** Stops after the letters that are at hand. */
  signal?: AbortSignal | undefined;
  /** Milliseconds since some moment. */
  elapsedMs?: () => number;
}

/** How many letters there are that the visit did not come to, as far as SQS knows. */
export interface Visit {
  /** In nobody's hands. */
  beyond: number;
  /** In somebody else's hands. */
  elsewhere: number;
}

/**
 * Goes through a dead-letter queue, each letter once, as far as it comes. What `take` does not delete stays, hidden until the
 * end of the visit: of a FIFO queue's group nothing more is had while one of its letters is in anybody's hands. So letters
 * behind the first ten of a group come when those before them are gone, and count as beyond otherwise. What `take` gives back
 * comes again.
 */
export async function visit(
  queue: LetterQueue,
  take: (letters: Letter[], held: HeldLetters) => Promise<void>,
  { signal, elapsedMs = () => performance.now() }: VisitOptions = {},
): Promise<Visit> {
  const held = new HeldLetters(queue, elapsedMs);
  try {
    for (let old = 0; old + held.returns < maxOldBatches && held.count < maxHeld && !signal?.aborted; ) {
      await held.renew();
      const { letters, fresh } = await held.receive();
      if (letters.length === 0) break;
      if (fresh.length === 0) old += 1;
      else await take(fresh, held);
    }
    const { waiting, hidden } = (await queue.counts()) ?? { waiting: 0, hidden: 0 };
    return { beyond: waiting, elsewhere: Math.max(0, hidden - held.hidden) };
  } finally {
    await held.release();
  }
}
