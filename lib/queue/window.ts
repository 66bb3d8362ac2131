import type { Clock } from '../runtime/clock.ts';
import { TokenBuckets } from './token-buckets.ts';

/** The number of messages that may wait on the queue of a slow function. */
export const defaultMinWindow = 5;
/** For a faster one, as many as it processes in this time: until the next look, and once more. */
const windowMs = 200;
/** A function takes its messages in batches: over this time the rate is even. */
const paceOverMs = 500;
const lookAgainMs = { empty: 25, shared: 100, longest: 1_000 };
/** A function that processes this many between two looks gets more at once than a slower one. */
const fastFrom = 100;
/**
 * A number that has not decreased for this long is of keys that are delayed after a failure, and does not make others
 * wait.
 */
const restingAfterMs = 10_000;
/** A function takes waiting messages in batches, and then the queue is empty for a moment. */
const fullForMs = 5_000;
/** An older look is no longer relevant. */
const staleMs = 1_000;

/**
 * The minimum number of messages that may wait on a queue regardless of its function's rate: for each owner, and for
 * all together.
 */
export interface WindowSizes {
  ownMessages: number;
  minWindow: number;
}

export interface WindowOptions extends Partial<WindowSizes> {
  /** Returns the number of messages that wait on the queue, without those in progress. */
  depth: () => Promise<number>;
  clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  /** Called when more may be sent. */
  onOpened: () => void;
}

/**
 * Limits the messages that may be put onto a queue now. A FIFO queue delivers in the order of sending: once thousands
 * of messages of one namespace are on it, none can overtake them. So beyond each owner's own allowance, no more is sent
 * than is processed, and the rest waits here, where owners take turns.
 */
export class Window {
  private readonly options: WindowOptions;
  private readonly tokenBuckets: TokenBuckets;
  private readonly minWindow: number;
  private left: number;
  private isLooking = false;
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  private adaptedAtMs = 0;
  private spacingMs = lookAgainMs.empty;
  private depth = 0;
  /** The number of those that are delayed after a failure. */
  private resting = 0;
  private fellAtMs = 0;
  private workedOffPerMs = 0;
  private wasEmpty = false;
  private sentSince = 0;
  private fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: WindowOptions) {
    this.options = options;
    this.tokenBuckets = new TokenBuckets(options.clock, options.ownMessages);
    this.minWindow = options.minWindow ?? defaultMinWindow;
    this.left = this.minWindow;
  }

  /**
   * True if more waits on the queue than is processed at once, now or a moment ago: then held owners stay so for a
   * while.
   */
  get isFull(): boolean {
    return this.options.clock.elapsedMs() - this.fullAtMs < fullForMs;
  }

  /** True if a message of this owner may be sent now. If so, it is counted as sent. */
  take(owner: string): boolean {
    if (this.tokenBuckets.take(owner)) return true;
    this.look();
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }

  /** Counts messages that the queue has accepted. */
  sent(count: number): void {
    this.sentSince += count;
  }

  /** Needed only while an owner sends more than its own allowance. */
  private look(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    const { clock, depth } = this.options;
    const nowMs = clock.elapsedMs();
    if (nowMs - this.lookedAtMs > Math.max(staleMs, 2 * this.spacingMs)) this.forget();
    const restMs = Math.max(0, this.lookedAtMs + this.spacingMs - nowMs);
    void clock
      .pause(restMs)
      .then(() => {
        this.lookedAtMs = clock.elapsedMs();
        return depth();
      })
      .then(
        (waiting) => this.adapt(waiting),
        // A queue that does not report its length gets everything, as if it were empty.
        () => this.open(Number.POSITIVE_INFINITY, lookAgainMs.longest),
      );
  }

  private forget(): void {
    this.left = Math.min(this.left, this.minWindow);
    this.depth = 0;
    this.resting = 0;
    this.sentSince = 0;
    this.lookedAtMs = this.options.clock.elapsedMs();
    this.adaptedAtMs = this.lookedAtMs;
    this.fellAtMs = this.lookedAtMs;
    this.workedOffPerMs = 0;
    this.wasEmpty = false;
    this.spacingMs = lookAgainMs.empty;
  }

  /** Keeps the function busy until the next look, without delaying anyone for longer. */
  private adapt(depth: number): void {
    const workedOff = Math.max(0, this.depth + this.sentSince - depth);
    const perMs = this.rateLimiter(workedOff);
    const waiting = depth - this.restingOf(depth);
    this.depth = depth;
    this.sentSince = 0;
    const target = Math.max(this.minWindow, Math.round(perMs * windowMs));
    const hasTakenAll = waiting === 0 && this.wasEmpty;
    this.wasEmpty = waiting === 0;
    const factor = workedOff < fastFrom ? 2 : 4;
    // A function that has just taken a batch leaves the queue empty for a moment; one that does so at each look is
    // faster than we are.
    if (hasTakenAll) this.open(Math.max(target, factor * workedOff), lookAgainMs.empty);
    else if (this.wasEmpty) this.open(target, lookAgainMs.empty);
    else if (waiting < target) this.open(target - waiting, lookAgainMs.shared);
    else this.openALittle(Math.floor((perMs * lookAgainMs.shared) / 2));
  }

  private restingOf(depth: number): number {
    const nowMs = this.options.clock.elapsedMs();
    if (depth < this.depth || depth - this.resting < this.minWindow) this.fellAtMs = nowMs;
    this.resting = nowMs - this.fellAtMs < restingAfterMs ? Math.min(this.resting, depth) : depth;
    return this.resting;
  }

  private rateLimiter(workedOff: number): number {
    const nowMs = this.options.clock.elapsedMs();
    const elapsedMs = Math.max(1, nowMs - this.adaptedAtMs);
    this.adaptedAtMs = nowMs;
    const weight = Math.min(1, elapsedMs / paceOverMs);
    this.workedOffPerMs += weight * (workedOff / elapsedMs - this.workedOffPerMs);
    return this.workedOffPerMs;
  }

  /**
   * More waits than should: send half of what is processed, so that the queue shrinks, and in any case one message now
   * and then.
   */
  private openALittle(count: number): void {
    this.fullAtMs = this.options.clock.elapsedMs();
    if (count > 0) this.open(count, lookAgainMs.shared);
    else this.open(1, Math.min(2 * this.spacingMs, lookAgainMs.longest));
  }

  private open(left: number, spacingMs: number): void {
    this.isLooking = false;
    this.left = left;
    this.spacingMs = spacingMs;
    this.options.onOpened();
  }
}
