import type { Clock } from './clock.ts';
import type { Log, LogFields } from './log.ts';

const firstMs = 10_000;
const maxMs = 300_000;

/**
 * Logs a failure that comes again and again: at once, and then ever more seldom, so that an outage of hours neither floods
 * the log nor is missing from its end. Another failure is logged at once.
 */
export class RepeatedFailure {
  private readonly log: Log;
  private readonly clock: Clock;
  private last: { text: string; pauseMs: number; loggedAtMs: number; unlogged: number } | undefined;

  constructor(log: Log, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  add(message: string, fields: LogFields & { error: string }): void {
    const [text, nowMs] = [`${message}: ${fields.error}`, this.clock.elapsedMs()];
    const { last } = this;
    if (last?.text !== text) {
      this.last = { text, pauseMs: firstMs, loggedAtMs: nowMs, unlogged: 0 };
      this.log.error(message, fields);
      return;
    }
    last.unlogged += 1;
    if (nowMs - last.loggedAtMs < last.pauseMs) return;
    this.log.error(message, { ...fields, again: last.unlogged });
    Object.assign(last, { pauseMs: Math.min(maxMs, last.pauseMs * 2), loggedAtMs: nowMs, unlogged: 0 });
  }

  /** The next failure is a new one. */
  over(): void {
    this.last = undefined;
  }
}
