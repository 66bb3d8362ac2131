import type { OutgoingMessage } from '../../queue/message-parts.ts';

/** Its queue has it, or need not have it, or never takes it and says so by this code. */
export type Outcome = 'taken' | 'needless' | { refusal: string };

/** A message that is to be put onto its queue. */
export interface Item {
  readonly message: OutgoingMessage;
  readonly settled: (outcome: Outcome) => void;
  /** Whether it need not go any more, asked when those before it in its group are settled. */
  readonly isNeedless?: (() => boolean) | undefined;
  /** It goes by a call of its own, so that a refusal is about nothing but itself. */
  isAlone: boolean;
  /** How often in a row its queue has not taken it. */
  refusals: number;
}

/**
 * What waits for one queue. Of each group one message is on its way at a time, and the next one comes when its queue has it:
 * so no message overtakes an earlier one of its group, whatever is refused, lost or sent again.
 */
export class GroupLane {
  /** What waits behind the first message of each group. */
  private readonly behind = new Map<string, Item[] | undefined>();
  /** Entries whose call failed go first. */
  private again: Item[] = [];
  private ready: Item[] = [];
  private head = 0;

  get readyCount(): number {
    return this.again.length + this.ready.length - this.head;
  }

  add(item: Item): void {
    const { groupId } = item.message;
    if (!this.behind.has(groupId)) {
      this.behind.set(groupId, undefined);
      this.ready.push(item);
      return;
    }
    const waiting = this.behind.get(groupId);
    if (waiting) waiting.push(item);
    else this.behind.set(groupId, [item]);
  }

  /** Up to so many for one call, which are on their way from now on. */
  take(most: number): Item[] {
    const batch: Item[] = [];
    for (let next = this.next(); next && batch.length < most; next = this.next()) {
      if (next.isAlone && batch.length > 0) break;
      batch.push(next);
      this.drop();
      if (next.isAlone) break;
    }
    return batch;
  }

  /** It is settled, and the next one of its group can go that is needed. */
  finish({ message: { groupId } }: Item): void {
    const waiting = this.behind.get(groupId);
    for (let next = waiting?.shift(); next; next = waiting?.shift()) {
      if (!next.isNeedless?.()) {
        this.ready.push(next);
        return;
      }
      next.settled('needless');
    }
    this.behind.delete(groupId);
  }

  putBack(items: readonly Item[]): void {
    this.again.push(...items);
  }

  private next(): Item | undefined {
    return this.again[0] ?? this.ready[this.head];
  }

  private drop(): void {
    if (this.again.length > 0) {
      this.again.shift();
      return;
    }
    this.head += 1;
    // Taken items are dropped in bulk: dropping each one would copy the rest each time.
    if (this.head > 1_000 && this.head * 2 > this.ready.length) {
      this.ready = this.ready.slice(this.head);
      this.head = 0;
    }
  }
}
