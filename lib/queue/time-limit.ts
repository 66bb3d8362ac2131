/** What is left of an invocation's time then must suffice for pausing what was not done, and for the answer. */
const timeToAnswerMs = 3_000;
/** So long before that no work goes on, so that whoever has waited for it in vain can be told. */
const timeToTellMs = 3_000;

/** It may well have been done, or still be: whoever does it again finds that. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';

  constructor() {
    super('it was not finished when the time for its batch was almost over');
  }
}

/**
 * Ends the waiting for work that takes longer than an invocation has. An invocation that is cut off instead would answer
 * nothing, and all that it had done would be delivered again together with what has held it up.
 */
export class TimeLimit {
  /** Aborts when nothing more is to be begun. */
  readonly working: AbortSignal;
  /** Aborts when nothing is waited for any longer. */
  readonly waiting: AbortSignal;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(remainingMs: number | undefined) {
    const waitMs = remainingMs === undefined ? undefined : Math.max(0, remainingMs - timeToAnswerMs);
    this.waiting = this.abortAfter(waitMs);
    this.working = this.abortAfter(waitMs && waitMs - Math.min(timeToTellMs, waitMs / 3));
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private abortAfter(milliseconds: number | undefined): AbortSignal {
    const over = new AbortController();
    if (milliseconds !== undefined) this.timers.push(setTimeout(() => over.abort(), milliseconds));
    return over.signal;
  }
}

/** What comes of some work, or `OutOfTime` when the time is over before that; nobody looks at the work any more then. */
export async function within<T>(over: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!over) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new OutOfTime());
  over.addEventListener('abort', giveUp);
  if (over.aborted) giveUp();
  try {
    return await Promise.race([work, promise]);
  } finally {
    over.removeEventListener('abort', giveUp);
  }
}
