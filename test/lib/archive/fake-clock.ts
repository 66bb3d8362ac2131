import type { Clock } from '../../../lib/runtime/clock.ts';

interface Pause {
  until: number;
  end: () => void;
}

/** A clock that goes on only when it is told to. */
export class FakeClock implements Clock {
  time = Date.UTC(2026, 10, 19, 1, 19, 59, 123);
  /** How long each pause was meant to last. */
  readonly asked: number[] = [];
  private elapsed = 0;
  private pauses: Pause[] = [];

  now(): Date {
    return new Date(this.time);
  }

  elapsedMs(): number {
    return this.elapsed;
  }

  get pausing(): number {
    return this.pauses.length;
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.asked.push(milliseconds);
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const pause = { until: this.elapsed + milliseconds, end: resolve };
      this.pauses.push(pause);
      signal?.addEventListener('abort', () => this.end(pause), { once: true });
    });
  }

  /** Both the time of day and what lasts. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    this.elapsed += milliseconds;
    for (const pause of this.pauses.filter(({ until }) => until <= this.elapsed)) this.end(pause);
  }

  private end(pause: Pause): void {
    this.pauses = this.pauses.filter((each) => each !== pause);
    pause.end();
  }
}
