import { Fifo } from './fifo.ts';
import type { Lane, Sendable } from './send-policy.ts';

export interface OrderedEntry extends Sendable {
  /** Entries of one group are sent one after the other. */
  readonly group: string;
  /** It is sent in a call of its own, so that a refusal concerns only itself. */
  isAlone?: boolean;
  /** Called when the entries before it in its group are settled: an entry that is no longer needed settles itself. */
  readonly isNeedless?: () => boolean;
}

/**
 * All messages of a group, in order: one of each group is in flight at a time, and the next one follows once its queue
 * has accepted that. So no message overtakes an earlier one of its group, whatever is refused, lost or sent again.
 */
export class OrderedLane<Entry extends OrderedEntry> implements Lane<Entry> {
  /** The entries behind the first message of each group. */
  private readonly behind = new Map<string, Entry[] | undefined>();
  /** Entries whose call failed go first. */
  private readonly again = new Fifo<Entry>();
  private readonly ready = new Fifo<Entry>();

  get readyCount(): number {
    return this.again.size + this.ready.size;
  }

  add(entry: Entry): void {
    const { group } = entry;
    if (!this.behind.has(group)) {
      this.behind.set(group, undefined);
      this.ready.push(entry);
      return;
    }
    const waiting = this.behind.get(group);
    if (waiting) waiting.push(entry);
    else this.behind.set(group, [entry]);
  }

  take(most: number): Entry[] {
    const batch: Entry[] = [];
    while (batch.length < most) {
      const from = this.again.size > 0 ? this.again : this.ready;
      const next = from.first;
      if (!next || (next.isAlone && batch.length > 0)) break;
      from.shift();
      batch.push(next);
      if (next.isAlone) break;
    }
    return batch;
  }

  finish({ group }: Entry): void {
    const waiting = this.behind.get(group);
    for (let next = waiting?.shift(); next; next = waiting?.shift()) {
      if (next.isNeedless?.()) continue;
      this.ready.push(next);
      return;
    }
    this.behind.delete(group);
  }

  putBack(entries: readonly Entry[]): void {
    for (const entry of entries) this.again.push(entry);
  }
}
