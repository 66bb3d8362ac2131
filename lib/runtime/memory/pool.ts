import { Hold, type Memory, TooLarge } from './budget.ts';

/** What is kept of clusters until the end of a run may take a third of the memory; the rest is for what is done with it. */
export function poolBytes(megabytes: number): number {
  return Math.floor((megabytes * 1024 * 1024) / 3);
}

/**
 * The memory of what is kept of several clusters until all of them have been read. Nobody waits for it: when there is none
 * left, whoever has taken the most of it loses all of it, so that a cluster without end is no other cluster's trouble.
 */
export class MemoryPool {
  private readonly bytes: number;
  private readonly shares = new Set<PoolShare>();

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** It is told when it has lost what it has. */
  share(onLost: (error: TooLarge) => void): PoolShare {
    const share = new PoolShare(this, onLost);
    this.shares.add(share);
    return share;
  }

  makeRoom(): void {
    const all = [...this.shares];
    const total = all.reduce((sum, { used }) => sum + used, 0);
    if (total <= this.bytes) return;
    const largest = all.reduce((one, other) => (other.used > one.used ? other : one));
    this.shares.delete(largest);
    largest.lose(
      new TooLarge(`what there is of it takes more memory than there is for all clusters (${this.bytes} bytes)`),
    );
  }

  end(share: PoolShare): void {
    this.shares.delete(share);
  }
}

/** What is kept of one cluster. */
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

  /** Throws when it is this share that has lost all. */
  take(bytes: number): void {
    this.used += bytes;
    if (bytes <= 0) return;
    this.pool.makeRoom();
    if (this.lost) throw this.lost;
  }

  lose(error: TooLarge): void {
    this.lost = error;
    this.onLost(error);
  }

  close(): void {
    this.pool.end(this);
  }
}
