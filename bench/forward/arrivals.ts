import { setTimeout as pause } from 'node:timers/promises';
import type { Arrival } from './arrival.ts';
import { nowMs } from './clock.ts';
import type { ForwarderProcess } from './forwarder-process.ts';
import { type LedgerEntry, lastVersion } from './ledger.ts';
import type { Arrived, QueueStandIn } from './queue/queue-stand-in.ts';

const pollMs = 25;
/** A forwarder that sends nothing for this long will send no more. */
const quietMs = 30_000;

/** The messages that arrived at the queue since it was last emptied, in order. */
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

  /** True if a message about the last state of a claim has arrived. */
  has(entry: LedgerEntry): boolean {
    if (entry.isGone) return this.deleted.has(entry.key);
    return (this.latest.get(entry.key) ?? 0) >= lastVersion(entry);
  }

  /**
   * Waits until messages about the last states of all these have arrived, or no more arrive. Records are only fetched
   * once there are as many as needed: fetching them is work for the queue that is part of the measurement.
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

/** The number of messages that arrived after a message about a newer version of the same claim. */
export function outOfOrder(arrivals: Arrival[]): number {
  const latest = new Map<string, number>();
  let count = 0;
  for (const { key, version = Number.POSITIVE_INFINITY } of arrivals) {
    if (version < (latest.get(key) ?? 0)) count += 1;
    latest.set(key, Math.max(version, latest.get(key) ?? 0));
  }
  return count;
}
