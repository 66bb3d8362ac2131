import type { Clock } from '../runtime/clock.ts';

const tickMs = 100;
const ticksASecond = 1_000 / tickMs;

/**
 * Lets at most `ratePerSecond` items through each second, spread evenly over tenths of a second. Callers are served in
 * the order in which they called. Unused capacity is lost, so there are no bursts to make up for it.
 */
export class RateLimiter {
  private readonly ratePerSecond: number;
  private readonly clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  private turn: Promise<unknown> = Promise.resolve();
  private tick = -1;
  private left = 0;

  constructor(ratePerSecond: number, clock: Pick<Clock, 'elapsedMs' | 'pause'>) {
    this.ratePerSecond = ratePerSecond;
    this.clock = clock;
  }

  /**
   * Waits until at least one item may pass, and returns how many of `most` may pass now; 0 if the signal is aborted.
   */
  take(most: number, signal: AbortSignal): Promise<number> {
    const taken = this.turn.then(() => this.takeInTurn(most, signal));
    this.turn = taken;
    return taken;
  }

  private async takeInTurn(most: number, signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      const nowMs = this.clock.elapsedMs();
      const tick = Math.floor(nowMs / tickMs);
      if (tick > this.tick) {
        this.tick = tick;
        this.left = this.shareUntil(tick + 1) - this.shareUntil(tick);
      }
      if (this.left > 0) {
        const count = Math.min(most, this.left);
        this.left -= count;
        return count;
      }
      await this.clock.pause((tick + 1) * tickMs - nowMs, signal);
    }
    return 0;
  }

  /** Fractions are carried over from tick to tick: ten ticks in a row add up to exactly one second's rate. */
  private shareUntil(tick: number): number {
    return Math.floor((tick * this.ratePerSecond) / ticksASecond);
  }
}
