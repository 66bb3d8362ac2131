import { displayName } from '../kubernetes/resources.ts';
import type { Clock } from '../runtime/clock.ts';
import { FairQueue } from './fair-queue.ts';

import type { MessageParts } from './message-parts.ts';
import type { Lane, Sendable } from './send-policy.ts';

/** A callback for when a message has been accepted. */
export interface Waiting {
  /** The object of the wait: if several callers with the same one wait for one message, the first stands for all. */
  of: object;
  notify: () => void;
}

/** The message to send, and the callbacks that wait for it. */
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
  /** The time since which a message of this key has not been accepted, by a monotonic clock. */
  readonly sinceMs: number;
}

/**
 * The latest message of each key: at most one is in flight, and later changes of the key become one message meanwhile.
 * So no retry of an older message can overtake a newer one.
 */
export class LatestLane implements Lane<Entry> {
  private readonly clock: Pick<Clock, 'elapsedMs'>;
  private readonly mayTake: (owner: string) => boolean;
  /** In the order in which the keys were added. */
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

  /** The number of entries that only wait for a call, and whose owners may have a turn. */
  get readyCount(): number {
    return this.again.length + this.fairQueue.readyCount;
  }

  /** The number of entries that wait because their owners have exceeded their turns. */
  get heldCount(): number {
    return this.fairQueue.heldCount;
  }

  /** The number of keys of one owner. */
  sizeOf(owner: string): number {
    return this.sizes.get(owner) ?? 0;
  }

  /** The time since which the oldest entry waits; held ones count only if requested. */
  oldestSinceMs(withHeld: boolean): number | undefined {
    for (const { owner, sinceMs } of this.entries.values()) {
      if (withHeld || !this.fairQueue.isHeld(owner)) return sinceMs;
    }
    return undefined;
  }

  /** True if a message of this key still waits. One in flight may have been read before the change. */
  isToSend(parts: MessageParts): boolean {
    const entry = this.entries.get(displayName(parts.key));
    return entry !== undefined && (entry.state !== 'in flight' || entry.next !== undefined);
  }

  /** Returns true if a waiting message already covers it. */
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
 * The later message also stands for the earlier one. However often that happens, an object has only one callback for a
 * message: the first one is not called before the message is accepted, which is sufficient for the later ones.
 */
function join(news: News, later: News): void {
  news.parts = later.parts;
  for (const waiting of later.waiting) {
    if (news.waiting.some(({ of }) => of === waiting.of)) waiting.notify();
    else news.waiting.push(waiting);
  }
}
