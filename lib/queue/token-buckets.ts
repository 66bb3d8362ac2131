import type { Clock } from '../runtime/clock.ts';

/** The capacity of an owner's bucket. It is refilled by `ownPerSecond`. */
export const defaultOwnMessages = 5;
const ownPerSecond = 2;
const maxIdleOwners = 1_000;

interface Bucket {
  left: number;
  atMs: number;
}

/**
 * A token bucket for each owner: the messages that it may send regardless of the others. Enough for owners with few
 * changes.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private readonly clock: Pick<Clock, 'elapsedMs'>;
  private readonly ownMessages: number;

  constructor(clock: Pick<Clock, 'elapsedMs'>, ownMessages = defaultOwnMessages) {
    this.clock = clock;
    this.ownMessages = ownMessages;
  }

  take(owner: string): boolean {
    const nowMs = this.clock.elapsedMs();
    const bucket = this.buckets.get(owner) ?? this.begin(owner, nowMs);
    bucket.left = this.leftOf(bucket, nowMs);
    bucket.atMs = nowMs;
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  private begin(owner: string, nowMs: number): Bucket {
    if (this.buckets.size >= maxIdleOwners) this.forgetIdle(nowMs);
    const bucket = { left: this.ownMessages, atMs: nowMs };
    this.buckets.set(owner, bucket);
    return bucket;
  }

  /** An owner that has not sent for long has a full bucket, stored or not. */
  private forgetIdle(nowMs: number): void {
    for (const [owner, bucket] of this.buckets) {
      if (this.leftOf(bucket, nowMs) === this.ownMessages) this.buckets.delete(owner);
    }
  }

  private leftOf({ left, atMs }: Bucket, nowMs: number): number {
    return Math.min(this.ownMessages, left + ((nowMs - atMs) * ownPerSecond) / 1_000);
  }
}
