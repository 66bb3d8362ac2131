import type { Clock } from '../../runtime/clock.ts';

/** One timer for the earliest of any number of times. */
export class WakeUp {
  private readonly clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  private readonly wake: () => void;
  private atMs = Number.POSITIVE_INFINITY;
  private timer = new AbortController();

  constructor(clock: Pick<Clock, 'elapsedMs' | 'pause'>, wake: () => void) {
    this.clock = clock;
    this.wake = wake;
  }

  /** Wakes up at this time, instead of at any other; without one not at all. */
  at(atMs: number = Number.POSITIVE_INFINITY): void {
    if (atMs === this.atMs) return;
    this.timer.abort();
    this.atMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const timer = new AbortController();
    this.timer = timer;
    void this.clock.pause(Math.max(1, atMs - this.clock.elapsedMs()), timer.signal).then(() => {
      if (timer.signal.aborted) return;
      this.atMs = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }
}
