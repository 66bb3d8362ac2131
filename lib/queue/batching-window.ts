import type { Clock } from '../runtime/clock.ts';

/** The longest time that a message waits for its call to be filled, however slow the queue is. */
const maxMs = 20;

/**
 * After a call that was not full, new messages are collected into one call until that call is answered, but for no longer
 * than half the duration of the last call. Messages of a quiet queue are not delayed at all.
 */
export class BatchingWindow {
  private readonly clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  private readonly onEnd: () => void;
  private current: object | undefined;
  private lastTookMs = 0;

  constructor(clock: Pick<Clock, 'elapsedMs' | 'pause'>, onEnd: () => void) {
    this.clock = clock;
    this.onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.current !== undefined;
  }

  /** Returns the function to call when the call is answered. */
  begin(): () => void {
    const { clock } = this;
    const begunMs = clock.elapsedMs();
    const mine = {};
    const end = () => {
      if (this.current !== mine) return;
      this.current = undefined;
      this.onEnd();
    };
    this.current = mine;
    void clock.pause(Math.min(maxMs, this.lastTookMs / 2)).then(end);
    return () => {
      this.lastTookMs = clock.elapsedMs() - begunMs;
      end();
    };
  }
}
