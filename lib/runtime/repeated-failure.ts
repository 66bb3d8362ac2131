import type { Clock } from './clock.ts';
import type { Log, LogFields } from './log.ts';

const firstMs = 10_000;
const maxMs = 300_000;
/** What has not come again for so long is a new failure. */
const forgottenMs = 60_000;
/** Texts of errors can have anything in them, such as a time. */
const maxKnown = 50;

interface Known {
  pauseMs: number;
  loggedAtMs: number;
  seenAtMs: number;
  unlogged: number;
}

/**
 * Logs a failure that comes again and again: at once, and then ever more seldom, so that an outage of hours neither floods
 * the log nor is missing from its end. Another failure is logged at once. Failures are the same if their errors are,
 * whatever else is logged with them: when a server is unreachable, each kind's watch says so.
 */
export class RepeatedFailure {
  private readonly log: Log;
  private readonly clock: Clock;
  private readonly known = new Map<string, Known>();

  constructor(log: Log, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  add(message: string, fields: LogFields & { error: string }): void {
    const [text, nowMs] = [`${message}: ${fields.error}`, this.clock.elapsedMs()];
    const known = this.known.get(text);
    if (!known || nowMs - known.seenAtMs > forgottenMs) {
      if (this.known.size >= maxKnown) this.known.clear();
      this.known.set(text, { pauseMs: firstMs, loggedAtMs: nowMs, seenAtMs: nowMs, unlogged: 0 });
      this.log.error(message, fields);
      return;
    }
    known.seenAtMs = nowMs;
    known.unlogged += 1;
    if (nowMs - known.loggedAtMs < known.pauseMs) return;
    this.log.error(message, { ...fields, again: known.unlogged });
    Object.assign(known, { pauseMs: Math.min(maxMs, known.pauseMs * 2), loggedAtMs: nowMs, unlogged: 0 });
  }

  /** The next failure is a new one. */
  over(): void {
    this.known.clear();
  }
}
