import type { DeadLetter } from './dead-letter.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import { ReceivedMessages } from './received-messages.ts';

/** More than this many cannot be kept hidden by renewing: receiving ends with them. */
const maxHeld = 10_000;
/** Batches received again: their timeout ended before it was renewed, or they were given back to be received again. */
const maxOldBatches = 20;

export interface ReceiveAllOptions {
  /** Stops after the dead letters in progress. */
  signal?: AbortSignal | undefined;
  /** Milliseconds since some fixed time. */
  elapsedMs?: () => number;
}

/** How many dead letters were not received, as far as SQS knows. */
export interface NotReceived {
  /** Visible. */
  beyond: number;
  /** Held by another command. */
  elsewhere: number;
}

/**
 * Goes through a dead-letter queue, each dead letter once, as far as it gets. Those that `take` does not delete stay, hidden
 * until the end: a FIFO queue hands out no more of a group while one of its messages is held. So dead letters behind the
 * first ten of a group are received when those before them are gone, and count as beyond otherwise. Those that `take` gives
 * back are received again.
 */
export async function receiveAll(
  queue: DeadLetterQueue,
  take: (deadLetters: DeadLetter[], held: ReceivedMessages) => Promise<void>,
  { signal, elapsedMs = () => performance.now() }: ReceiveAllOptions = {},
): Promise<NotReceived> {
  const held = new ReceivedMessages(queue, elapsedMs);
  try {
    for (let old = 0; old + held.returns < maxOldBatches && held.count < maxHeld && !signal?.aborted; ) {
      await held.renew();
      const { deadLetters, fresh } = await held.receive();
      if (deadLetters.length === 0) break;
      if (fresh.length === 0) old += 1;
      else await take(fresh, held);
    }
    const { waiting, hidden } = (await queue.counts()) ?? { waiting: 0, hidden: 0 };
    return { beyond: waiting, elsewhere: Math.max(0, hidden - held.hidden) };
  } finally {
    await held.release();
  }
}
