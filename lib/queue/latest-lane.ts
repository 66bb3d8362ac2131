import { displayName } from '../kubernetes/resources.ts';
import type { Clock } from '../runtime/clock.ts';
import { FairQueue } from './fair-queue.ts';

import type { MessageParts } from './message-parts.ts';
import type { Lane, Sendable } from './send-policy.ts';

/** A callback for when a message has been accepted. */
export interface Waiting {
  /** On whose behalf: of several that wait for one message, the first one stands for all. */
  of: object;
  notify: () => void;
}

/** The message to send, and who waits for it. */
interface News {
  parts: MessageParts;
  waiting: Waiting[];
}

/** A key with a message that is waiting or in flight. */
export interface Entry extends News, Sendable {
  readonly name: string;
  /** The owner in the round-robin: the namespace on whose behalf the message is sent. */
  readonly owner: string;
  /** Newer changes since this entry was sent: they are sent next. */
  next: News | undefined;
  state: 'ready' | 'in flight' | 'resting';
  /** Since when something of this key has not been taken, by a clock that only goes forward. */
  readonly sinceMs: number;
}

/**
 * The latest of each key: at most one message of a key is on its way, and later changes of the key become one message
 * meanwhile. So no retry of an older message can overtake a newer one.
 */
export class LatestLane implements Lane<Entry> {
  private readonly clock: Pick<Clock, 'elapsedMs'>;
  private readonly mayTake: (owner: string) => boolean;
  /** In the order in which the keys came up. */
  private readonly entries = new Map<string, Entry>();
  private readonly fairQueue = new FairQueue<Entry>();
  private readonly sizes = new Map<string, number>();
  /** Entries whose call failed go first. */
  private again: Entry[] = [];

  constructor(clock: Pick<Clock, 'elapsedMs'>, mayTake: (owner: string) => boolean) {
    this.clock = clock;
    this.mayTake = mayTake;
  }

  get size(): number {
    return this.entries.size;
  }

  /** How many only wait for a call, as far as their owners may have a turn. */
  get readyCount(): number {
    return this.again.length + this.fairQueue.readyCount;
  }

  /** How many wait because their owners have had more than their turns. */
  get heldCount(): number {
    return this.fairQueue.heldCount;
  }

  /** How many keys of one owner are here. */
  sizeOf(owner: string): number {
    return this.sizes.get(owner) ?? 0;
  }

  /** Since when the first of all that is here waits, and of those who are held if they count as well. */
  oldestSinceMs(withHeld: boolean): number | undefined {
    for (const { owner, sinceMs } of this.entries.values()) {
      if (withHeld || !this.fairQueue.isHeld(owner)) return sinceMs;
    }
    return undefined;
  }

  /** Whether a message of this key still waits. One in flight may have been read before the change. */
  isToSend(parts: MessageParts): boolean {
    const entry = this.entries.get(displayName(parts.key));
    return entry !== undefined && (entry.state !== 'in flight' || entry.next !== undefined);
  }

  /** Returns whether a waiting message already covers it. */
  add(parts: MessageParts, waiting: Waiting | undefined): boolean {
    const name = displayName(parts.key);
    const entry = this.entries.get(name);
    const waiters = waiting ? [waiting] : [];
    if (!entry) this.addEntry(name, parts, waiters);
    else if (entry.state === 'ready') join(entry, { parts, waiting: waiters });
    else if (entry.next) join(entry.next, { parts, waiting: waiters });
    else {
      entry.next = { parts, waiting: waiters };
      return entry.state !== 'in flight';
    }
    return entry !== undefined;
  }

  /** Takes up to this many entries, which are then in flight; fewer if their owners may not send now. */
  take(most: number): Entry[] {
    const batch = this.again.splice(0, most);
    while (batch.length < most) {
      const entry = this.fairQueue.next(this.mayTake);
      if (!entry) break;
      batch.push(entry);
    }
    for (const entry of batch) entry.state = 'in flight';
    return batch;
  }

  rest(entry: Entry): void {
    entry.state = 'resting';
  }

  /** The queue has accepted it. Newer changes are sent as another message. */
  finish(entry: Entry): void {
    this.entries.delete(entry.name);
    this.count(entry.owner, -1);
    if (entry.next) this.addEntry(entry.name, entry.next.parts, entry.next.waiting);
  }

  /** It is sent again, before all others; the same message covers newer changes. */
  putBack(entries: readonly Entry[]): void {
    for (const entry of entries) {
      entry.state = 'ready';
      if (entry.next) join(entry, entry.next);
      entry.next = undefined;
    }
    this.again.push(...entries);
  }

  /** Releases all held owners. */
  release(): void {
    this.fairQueue.release();
  }

  private addEntry(name: string, parts: MessageParts, waiting: Waiting[]): void {
    const owner = ownerOf(parts);
    const sinceMs = this.clock.elapsedMs();
    const entry: Entry = { name, owner, parts, waiting, next: undefined, state: 'ready', refusals: 0, sinceMs };
    this.entries.set(name, entry);
    this.count(owner, 1);
    this.fairQueue.add(entry);
  }

  private count(owner: string, change: number): void {
    const size = this.sizeOf(owner) + change;
    if (size === 0) this.sizes.delete(owner);
    else this.sizes.set(owner, size);
  }
}

/** The namespace of the key, or the one on whose behalf a message for a cluster-scoped key is sent. */
export function ownerOf({ key, owner }: Pick<MessageParts, 'key' | 'owner'>): string {
  return key.namespace ?? owner ?? '';
}

/**
 * The later news are told for the earlier ones as well. However often that happens, nobody waits for a message twice: who
 * waited first is not told before it is taken, and that is enough for those who came later.
 */
function join(news: News, later: News): void {
  news.parts = later.parts;
  for (const waiting of later.waiting) {
    if (news.waiting.some(({ of }) => of === waiting.of)) waiting.notify();
    else news.waiting.push(waiting);
  }
}
