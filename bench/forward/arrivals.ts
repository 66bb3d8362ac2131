import { setTimeout as pause } from 'node:timers/promises';
import type { Arrival } from './arrival.ts';
import { nowMs } from './clock.ts';
import type { ForwarderProcess } from './forwarder-process.ts';
import { type LedgerEntry, lastVersion } from './ledger.ts';
import type { Arrived, QueueStandIn } from './queue/queue-stand-in.ts';

const pollMs = 25;
/** A forwarder that puts nothing on the queue for so long will not. */
const quietMs = 30_000;

/** What has arrived at the queue since it was emptied last, in order. */
export class Arrivals {
  readonly all: Arrival[] = [];
  private readonly latest = new Map<string, number>();
  private readonly deleted = new Set<string>();
  private readonly queue: QueueStandIn;
  private readonly read: (arrived: Arrived) => Arrival;

  constructor(queue: QueueStandIn, read: (arrived: Arrived) => Arrival) {
    this.queue = queue;
    this.read = read;
  }

  async pull(): Promise<void> {
    for (const record of await this.queue.records(this.all.length)) {
      const arrival = this.read(record);
      this.all.push(arrival);
      if (arrival.isDeletion) this.deleted.add(arrival.key);
      this.latest.set(arrival.key, Math.max(this.latest.get(arrival.key) ?? 0, arrival.version ?? 0));
    }
  }

  /** Whether a message has come of the last state of a claim. */
  has(entry: LedgerEntry): boolean {
    if (entry.isGone) return this.deleted.has(entry.key);
    return (this.latest.get(entry.key) ?? 0) >= lastVersion(entry);
  }

  /**
   * Waits until the last states of all these have come, or nothing comes any more. Records are only fetched when there
   * are as many as there must be: fetching them is work for the queue that is measured with.
   */
  async untilAll(wanted: LedgerEntry[], process: ForwarderProcess): Promise<LedgerEntry[]> {
    let [seen, since] = [-1, nowMs()];
    for (;;) {
      const count = await this.queue.count();
      if (count !== seen) {
        [seen, since] = [count, nowMs()];
        if (count >= wanted.length) await this.pull();
        if (count >= wanted.length && wanted.every((entry) => this.has(entry))) return [];
      }
      await process.requireRunning();
      if (nowMs() - since > quietMs) break;
      await pause(pollMs);
    }
    await this.pull();
    return wanted.filter((entry) => !this.has(entry));
  }
}

/** How many messages of one claim came after a message of a newer version of it. */
export function outOfOrder(arrivals: Arrival[]): number {
  const latest = new Map<string, number>();
  let count = 0;
  for (const { key, version = Number.POSITIVE_INFINITY } of arrivals) {
    if (version < (latest.get(key) ?? 0)) count += 1;
    latest.set(key, Math.max(version, latest.get(key) ?? 0));
  }
  return count;
}
