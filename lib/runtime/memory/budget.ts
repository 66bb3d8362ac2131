/** For Node itself, a bundle, and garbage that is not collected yet. */
const baseMegabytes = 192;
const minMegabytes = 64;
const megabyte = 1024 * 1024;
/** If the amount of memory is not known. */
export const defaultMegabytes = 512;

export interface BudgetSizes {
  /** Bytes that each share may hold at any time. */
  own: number;
  /** Bytes that one share at a time may hold. */
  turn: number;
  /** The number of shares at a time. */
  shares: number;
}

/** What a part of a process has, such that all parts together have what is left for answers in the whole of it. */
export function megabytesOf(megabytes: number, parts: number): number {
  return baseMegabytes + Math.max(0, megabytes - baseMegabytes) / parts;
}

/** The messages of a batch. */
const defaultShares = 10;

/** A function of 512 MB gets 6.4 MB for each of the ten messages of a batch, and 64 MB for the one whose turn it is. */
export function budgetSizes(megabytes: number, shares = defaultShares): BudgetSizes {
  const spare = Math.max(minMegabytes, megabytes - baseMegabytes) * megabyte;
  return { own: spare / 5 / shares, turn: spare / 5, shares };
}

/** Gives out holds on memory. */
export interface Memory {
  hold(): Hold;
}

/** Counts the bytes that are held. */
interface MemoryAccount {
  /** Holds this much more, possibly after a wait. */
  add(bytes: number, signal?: AbortSignal): Promise<void>;
  subtract(bytes: number): void;
}

/** A response is too large to be read at all, or to be kept besides those already read for the same message. */
export class TooLarge extends Error {}

interface Waiter {
  share?: Share;
  go: () => void;
}

/**
 * The memory of a process for responses. Each message in progress has a share. Each share may hold a little at any
 * time, so that a message with objects of ordinary size never waits for others. A share that needs more waits for its
 * turn, which one share has at a time: so a process of known size survives any response. The share that has the turn
 * waits for no other, so each turn ends.
 */
export class MemoryBudget {
  readonly sizes: BudgetSizes;
  private open = 0;
  private front: Share | undefined;
  private readonly forShares: Waiter[] = [];
  private readonly forTurn: Waiter[] = [];

  constructor(megabytes: number, shares?: number) {
    this.sizes = budgetSizes(megabytes, shares);
  }

  /** A share for one message; waits while all shares are in use. */
  async share(signal?: AbortSignal): Promise<Share> {
    while (this.open >= this.sizes.shares) await waitInLine(this.forShares, {}, signal);
    this.open += 1;
    return new Share(this, () => {
      this.open -= 1;
      this.forShares.shift()?.go();
    });
  }

  /** A share for work outside messages: one for each cluster of a process, which never waits for another. */
  clusterShare(): Share {
    return new Share(this, () => {}, this.sizes.turn);
  }

  /** Resolves when it is the share's turn. */
  async awaitTurn(share: Share, signal: AbortSignal | undefined): Promise<void> {
    this.front ??= share;
    if (this.front !== share) await waitInLine(this.forTurn, { share }, signal);
  }

  endTurn(share: Share): void {
    if (this.front !== share) return;
    this.front = this.forTurn[0]?.share;
    const [next = [], others = []] = [true, false].map((isNext) =>
      this.forTurn.filter((waiting) => (waiting.share === this.front) === isNext),
    );
    this.forTurn.splice(0, this.forTurn.length, ...others);
    for (const { go } of next) go();
  }
}

/** The memory held for one message, or for one cluster. */
export class Share implements Memory, MemoryAccount {
  private readonly budget: MemoryBudget;
  private readonly own: number;
  private readonly onClose: () => void;
  private used = 0;
  private waiting = 0;
  private isClosed = false;

  constructor(budget: MemoryBudget, onClose: () => void, own = budget.sizes.own) {
    this.own = own;
    this.budget = budget;
    this.onClose = onClose;
  }

  hold(): Hold {
    return new Hold(this);
  }

  /** Holds this much more, possibly after a wait. */
  async add(bytes: number, signal?: AbortSignal): Promise<void> {
    if (this.isClosed) throw new TooLarge('nobody waits for it any more');
    this.waiting += 1;
    try {
      const { turn } = this.budget.sizes;
      if (this.used + bytes > turn) throw this.tooLarge();
      if (this.used + bytes > this.own) await this.budget.awaitTurn(this, signal);
      if (this.isClosed || this.used + bytes > turn) throw this.tooLarge();
      this.used += bytes;
    } finally {
      this.waiting -= 1;
      this.endTurn();
    }
  }

  subtract(bytes: number): void {
    if (this.isClosed) return;
    this.used -= bytes;
    this.endTurn();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.used = 0;
    this.budget.endTurn(this);
    this.onClose();
  }

  private endTurn(): void {
    if (this.isClosed || (this.used <= this.own && this.waiting === 0)) this.budget.endTurn(this);
  }

  private tooLarge(): TooLarge {
    const most = Math.floor(this.budget.sizes.turn);
    return new TooLarge(`what was read for it takes more than the ${most} bytes of memory that it may have`);
  }
}

/** Memory that is held until it is released. */
export class Hold {
  private readonly account: MemoryAccount;
  private held = 0;

  constructor(account: MemoryAccount) {
    this.account = account;
  }

  get bytes(): number {
    return this.held;
  }

  async resize(bytes: number, signal?: AbortSignal): Promise<void> {
    if (bytes <= this.held) {
      this.account.subtract(this.held - bytes);
    } else {
      await this.account.add(bytes - this.held, signal);
    }
    this.held = bytes;
  }

  release(): void {
    this.account.subtract(this.held);
    this.held = 0;
  }
}

async function waitInLine(
  line: Waiter[],
  { share }: { share?: Share },
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiting: Waiter = { ...(share ? { share } : {}), go: resolve };
  const giveUp = () => {
    const at = line.indexOf(waiting);
    if (at >= 0) line.splice(at, 1);
    reject(signal?.reason);
  };
  line.push(waiting);
  signal?.addEventListener('abort', giveUp, { once: true });
  await promise.finally(() => signal?.removeEventListener('abort', giveUp));
}
