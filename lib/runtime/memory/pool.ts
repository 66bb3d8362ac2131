import { Hold, type Memory, TooLarge } from './budget.ts';

/** Data kept of clusters until the end of a run may take a third of the memory; the rest is for processing it. */
export function poolBytes(megabytes: number): number {
  return Math.floor((megabytes * 1024 * 1024) / 3);
}

/**
 * The memory for data kept of several clusters until all of them have been read. No share waits for it: when it is used up,
 * the largest share loses all of its data, so that an oversized cluster does not affect the others.
 */
export class MemoryPool {
  private readonly bytes: number;
  private readonly shares = new Set<PoolShare>();

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** `onLost` is called when the share has lost its data. */
  share(onLost: (error: TooLarge) => void): PoolShare {
    const share = new PoolShare(this, onLost);
    this.shares.add(share);
    return share;
  }

  evictLargest(): void {
    const all = [...this.shares];
    const total = all.reduce((sum, { used }) => sum + used, 0);
    if (total <= this.bytes) return;
    const largest = all.reduce((one, other) => (other.used > one.used ? other : one));
    this.shares.delete(largest);
    largest.evict(
      new TooLarge(`what there is of it takes more memory than there is for all clusters (${this.bytes} bytes)`),
    );
  }

  end(share: PoolShare): void {
    this.shares.delete(share);
  }
}

/** The data kept of one cluster. */
export class PoolShare implements Memory {
  used = 0;
  private readonly pool: MemoryPool;
  private readonly onLost: (error: TooLarge) => void;
  private lost: TooLarge | undefined;

  constructor(pool: MemoryPool, onLost: (error: TooLarge) => void) {
    this.pool = pool;
    this.onLost = onLost;
  }

  hold(): Hold {
    return new Hold({ add: async (bytes) => this.take(bytes), subtract: (bytes) => this.take(-bytes) });
  }

  /** Throws if this share has lost its data. */
  take(bytes: number): void {
    this.used += bytes;
    if (bytes <= 0) return;
    this.pool.evictLargest();
    if (this.lost) throw this.lost;
  }

  evict(error: TooLarge): void {
    this.lost = error;
    this.onLost(error);
  }

  close(): void {
    this.pool.end(this);
  }
}
