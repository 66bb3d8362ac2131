/** The time reserved at the end of an invocation for postponing unfinished messages, and for the response. */
const timeToAnswerMs = 3_000;
/** Work stops this long before that, so that its object can still report it. */
const timeToTellMs = 3_000;

/** The work may have been done, or still be running: the next attempt finds out. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';

  constructor() {
    super('it was not finished when the time for its batch was almost over');
  }
}

/**
 * Ends the wait for work that takes longer than an invocation has. An invocation that timed out instead would return
 * nothing, and everything that it had done would be delivered again together with the slow message.
 */
export class TimeLimit {
  /** Aborts when no new work may begin. */
  readonly working: AbortSignal;
  /** Aborts when work is no longer awaited. */
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

/** The result of the work, or `OutOfTime` if it takes too long; its result is then ignored. */
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
