/** What is left of an invocation's time then must suffice for pausing what was not done, and for the answer. */
const timeToAnswerMs = 3_000;

/** It may well have been done, or still be: whoever does it again finds that. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';

  constructor() {
    super('it was not done when the time for its batch was nearly over, and is tried again');
  }
}

/**
 * Ends the waiting for work that takes longer than an invocation has. An invocation that is cut off instead would answer
 * nothing, and all that it had done would be delivered again together with what has held it up.
 */
export class TimeLimit {
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly over: Promise<never>;

  constructor(remainingMs: number | undefined) {
    const { promise, reject } = Promise.withResolvers<never>();
    // It may be over when nobody waits any more.
    promise.catch(() => {});
    this.over = promise;
    if (remainingMs === undefined) return;
    this.timer = setTimeout(() => reject(new OutOfTime()), Math.max(0, remainingMs - timeToAnswerMs));
  }

  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.over]);
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
