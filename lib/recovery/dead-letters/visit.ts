import type { Letter } from './letter.ts';
import { atOnce, type LetterQueue } from './letter-queue.ts';

/** What a command that dies has in its hands is hidden from the next one for so long. */
const hiddenSeconds = 120;
/** More than this many cannot be kept hidden by renewing: the visit ends with them. */
const mostHeld = 10_000;
/** Letters that come again although they are held: their time was up before it could be renewed. */
const mostOldBatches = 20;

export interface VisitOptions {
  /** Stops after the letters that are at hand. */
  signal?: AbortSignal | undefined;
  /** Milliseconds since some moment. */
  elapsedMs?: () => number;
}

export interface Visit {
  /** How many letters there are that the visit did not come to, as far as SQS knows. */
  beyond: number;
}

/**
 * Goes through a dead-letter queue, each letter once, as far as it comes. What `take` does not delete stays, hidden until the end of the visit:
 * of a FIFO queue's group nothing more is had while one of its letters is in anybody's hands. So letters behind the first
 * ten of a group come when those before them are gone, and count as beyond otherwise.
 */
export async function visit(
  queue: LetterQueue,
  take: (letters: Letter[], hands: Hands) => Promise<void>,
  { signal, elapsedMs = () => performance.now() }: VisitOptions = {},
): Promise<Visit> {
  const hands = new Hands(queue, elapsedMs);
  try {
    for (let old = 0; old < mostOldBatches && hands.count < mostHeld && !signal?.aborted; ) {
      await hands.renew();
      const letters = await queue.receive(hiddenSeconds);
      if (letters.length === 0) break;
      const fresh = hands.hold(letters);
      if (fresh.length === 0) old += 1;
      else await take(fresh, hands);
    }
    // What is in our hands is not counted by SQS.
    return { beyond: (await queue.waiting()) ?? 0 };
  } finally {
    await hands.release();
  }
}

/** The letters that are hidden from others because we have them. */
export class Hands {
  private readonly queue: LetterQueue;
  private readonly elapsedMs: () => number;
  private readonly held = new Map<string, Letter>();
  private renewedMs: number;

  constructor(queue: LetterQueue, elapsedMs: () => number) {
    this.queue = queue;
    this.elapsedMs = elapsedMs;
    this.renewedMs = elapsedMs();
  }

  get count(): number {
    return this.held.size;
  }

  /** Answers those that were not held already. */
  hold(letters: readonly Letter[]): Letter[] {
    const fresh = letters.filter(({ messageId }) => !this.held.has(messageId));
    // Only the newest receipt is good for anything.
    for (const letter of letters) this.held.set(letter.messageId, letter);
    return fresh;
  }

  /** It has been deleted. */
  drop({ messageId }: Letter): void {
    this.held.delete(messageId);
  }

  /** Whoever takes long must not find letters in somebody else's hands as well. */
  async renew(): Promise<void> {
    if (this.elapsedMs() - this.renewedMs < (hiddenSeconds * 1000) / 3) return;
    this.renewedMs = this.elapsedMs();
    await this.hideAll([...this.held.values()], hiddenSeconds);
  }

  /** Shows all of them to others again. Where that fails they show themselves when their time is up. */
  async release(): Promise<void> {
    // The last ones first, so that at no moment a later letter of a group is to be had before an earlier one.
    const letters = [...this.held.values()].reverse();
    this.held.clear();
    await this.hideAll(letters, 0).catch(() => {});
  }

  private async hideAll(letters: readonly Letter[], seconds: number): Promise<void> {
    for (let start = 0; start < letters.length; start += atOnce) {
      await this.queue.hide(letters.slice(start, start + atOnce), seconds);
    }
  }
}
