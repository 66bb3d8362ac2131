import { type Archive, noArchive } from '../archive/archive.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DepthOf, SendBatch } from './lane-sender.ts';
import { type Entry, ownerOf, type Waiting } from './latest-lane.ts';
import { LatestSender, type SendStats } from './latest-sender.ts';
import type { MessageParts, OutgoingMessage } from './message-parts.ts';
import { Waiters } from './waiters.ts';
import type { WindowSizes } from './window.ts';

/** When this many keys wait, nothing more is read from the cluster. */
const maxWaiting = 20_000;
/** The limit is higher for keys that wait for their turn: otherwise they would stop reading for everyone else. */
const maxWithHeld = 100_000;
/** Above this many keys that could be sent now, listed objects wait in place until half of those are sent. */
const defaultMaxReady = 200;
const maxUnarchivedBytes = 8 * 1024 * 1024;

export interface OutboxOptions {
  send: SendBatch;
  /** If the length of a queue is known, no more is sent than is processed, and namespaces take turns. */
  depthOf?: DepthOf | undefined;
  window?: WindowSizes | undefined;
  clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  onFailure: (error: unknown) => void;
  /** Checked right before each call: a forwarder that does not lead must not send. */
  maySend?: () => boolean;
  /** Stores every message that was sent. */
  archive?: Pick<Archive, 'add' | 'unwrittenBytes'>;
  /** The outbox is behind if more than this many could be sent at once. */
  maxReady?: number | undefined;
}

/**
 * The messages to send, at most one for each key: a step reads the object as it is when it runs, so the last of several
 * messages is sufficient. Messages that a queue does not accept stay here and are sent again.
 */
export class Outbox {
  readonly stats: SendStats;
  private readonly options: OutboxOptions;
  private readonly senders = new Map<string, LatestSender>();
  private readonly archive: Pick<Archive, 'add' | 'unwrittenBytes'>;
  private readonly waiters = new Waiters();
  private stopped = false;
  /** Ends the pauses of all senders. */
  private pausing = new AbortController();

  constructor(options: OutboxOptions) {
    this.options = options;
    this.archive = options.archive ?? noArchive;
    const { senders } = this;
    this.stats = {
      sent: 0,
      coalesced: 0,
      retried: 0,
      get inFlight() {
        return [...senders.values()].reduce((total, { inFlight }) => total + inFlight, 0);
      },
    };
  }

  /** The callback runs when the message, or a later one of its key, is on the queue, and in the archive if there is one. */
  add(parts: MessageParts, waiting?: Waiting): void {
    const sender = this.senderOf(parts.function);
    if (sender.lane.add(parts, waiting)) this.stats.coalesced += 1;
    sender.soon();
  }

  /** True if a message of this key is still to be sent. */
  isToSend(parts: MessageParts): boolean {
    return this.senderOf(parts.function).lane.isToSend(parts);
  }

  /** The number of keys that wait for one function's queue, without those that wait for their turns. */
  sizeOf(functionName: string): number {
    const sender = this.senders.get(functionName);
    return sender ? sender.lane.size - sender.heldCount : 0;
  }

  /** The number of keys of the same owner that wait for the same queue. */
  sizeOfOwner(parts: Pick<MessageParts, 'function' | 'key' | 'owner'>): number {
    return this.senders.get(parts.function)?.lane.sizeOf(ownerOf(parts)) ?? 0;
  }

  get size(): number {
    let total = 0;
    for (const { lane } of this.senders.values()) total += lane.size;
    return total;
  }

  /**
   * The number of keys that wait because their owners have exceeded their turns, and their queue has more than is
   * processed.
   */
  get heldCount(): number {
    let total = 0;
    for (const { heldCount } of this.senders.values()) total += heldCount;
    return total;
  }

  /** The time for which the oldest entry has waited, without those that wait for their turns. */
  get lagMs(): number {
    const now = this.options.clock.elapsedMs();
    const lags = [...this.senders.values()].map(({ lane, heldCount }) => {
      return now - (lane.oldestSinceMs(heldCount === 0) ?? now);
    });
    return Math.max(0, ...lags);
  }

  private get hasRoom(): boolean {
    const { size } = this;
    return size < maxWaiting || (size < maxWithHeld && size - this.heldCount < maxWaiting);
  }

  /** Resolves when there is room for more, or the signal aborts. Readers of the cluster wait for it. */
  async room(signal?: AbortSignal): Promise<void> {
    await this.until(() => this.hasRoom && this.canArchive(), signal);
  }

  /**
   * True if more can be sent at once than fits into calls. Entries for a queue that gets no calls for a while do not
   * count: they must not delay the others.
   */
  get isBehind(): boolean {
    return this.readyCount > this.maxReady;
  }

  /** Resolves when it is no longer behind, or the signal aborts: short-lived objects cost the least memory. */
  async caughtUp(signal?: AbortSignal): Promise<void> {
    await this.until(() => this.readyCount <= this.maxReady / 2, signal);
  }

  /**
   * Resolves when everything that was added has been accepted by its queue, except entries that wait for their turns;
   * or when nothing is sent any more, or the signal aborts.
   */
  async drained(signal?: AbortSignal): Promise<void> {
    await this.until(() => this.size === this.heldCount, signal);
  }

  /** Tries everything that is delayed, or being gathered, now. */
  tryNow(): void {
    const { pausing } = this;
    this.pausing = new AbortController();
    pausing.abort();
  }

  /** Drops messages that no queue has accepted; the checkpoint has not passed them. */
  stop(): void {
    this.stopped = true;
    this.tryNow();
    this.waiters.wake();
  }

  private get maxReady(): number {
    return this.options.maxReady ?? defaultMaxReady;
  }

  private get readyCount(): number {
    let total = 0;
    for (const { readyCount } of this.senders.values()) total += readyCount;
    return total;
  }

  private senderOf(functionName: string): LatestSender {
    const known = this.senders.get(functionName);
    if (known) return known;
    const { send, depthOf, window, clock, onFailure, maySend = () => true } = this.options;
    const sender = new LatestSender(functionName, {
      send,
      depthOf,
      window,
      clock: { elapsedMs: () => clock.elapsedMs(), pause: (milliseconds) => this.pause(milliseconds) },
      onFailure,
      stats: this.stats,
      maySend: () => this.canArchive() && maySend(),
      isStopped: () => this.stopped,
      onTaken: (entry, message) => this.keep(entry, message),
      onProgress: () => this.waiters.wake(),
    });
    this.senders.set(functionName, sender);
    return sender;
  }

  /** Messages that an unavailable archive has not accepted stay in memory, so nothing more is sent then. */
  private canArchive(): boolean {
    return this.archive.unwrittenBytes < maxUnarchivedBytes;
  }

  /** A pause does not delay the end of a forwarder that has given up. */
  private async pause(milliseconds: number): Promise<void> {
    if (!this.stopped) await this.options.clock.pause(milliseconds, this.pausing.signal);
  }

  private keep({ waiting }: Entry, message: OutgoingMessage): void {
    // After giving up nothing is archived, and so the next forwarder sends it again.
    if (this.stopped) return;
    this.archive.add(message, () => {
      for (const { notify } of waiting) notify();
      this.waiters.wake();
    });
  }

  private until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    return this.waiters.until(() => this.stopped || signal?.aborted === true || condition(), signal);
  }
}
