import type { Clock } from '../runtime/clock.ts';

const tickMs = 100;
const ticksASecond = 1_000 / tickMs;

/**
 * Lets no more than so many through in each second, evenly: each tenth of it has its share. Those who wait come in the order
 * in which they asked. What nobody asks for in its time is lost, so that nothing is made up for in a rush.
 */
export class Pace {
  private readonly ratePerSecond: number;
  private readonly clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  private turn: Promise<unknown> = Promise.resolve();
  private tick = -1;
  private left = 0;

  constructor(ratePerSecond: number, clock: Pick<Clock, 'elapsedMs' | 'pause'>) {
    this.ratePerSecond = ratePerSecond;
    this.clock = clock;
  }

  /** How many of so many may go now: at least one, when there is room for it; none, when the signal has aborted. */
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

  /** Fractions are carried on from tick to tick: ten of them in a row have exactly what a second has. */
  private shareUntil(tick: number): number {
    return Math.floor((tick * this.ratePerSecond) / ticksASecond);
  }
}
