import { Fifo } from './fifo.ts';

/**
 * A round-robin queue: one item of each owner, then the next item of the first. So an item waits for at most one item of each
 * other owner, however many that owner has. An owner that cannot be served now is held until all owners are released.
 */
export class FairQueue<T extends { readonly owner: string }> {
  /** In the order in which they are served. */
  private readonly active = new Map<string, Fifo<T>>();
  private readonly held = new Map<string, Fifo<T>>();
  private total = 0;
  private totalHeld = 0;

  /** The number of waiting items whose owners are not held. */
  get readyCount(): number {
    return this.total - this.totalHeld;
  }

  get heldCount(): number {
    return this.totalHeld;
  }

  isHeld(owner: string): boolean {
    return this.held.has(owner);
  }

  add(item: T): void {
    const { owner } = item;
    const held = this.held.get(owner);
    const waiting = held ?? this.active.get(owner);
    this.total += 1;
    if (held) this.totalHeld += 1;
    if (waiting) {
      waiting.push(item);
      return;
    }
    const first = new Fifo<T>();
    first.push(item);
    this.active.set(owner, first);
  }

  /** The next one whose owner may have a turn. An owner that may not is held. */
  next(mayTake: (owner: string) => boolean): T | undefined {
    for (const [owner, waiting] of this.active) {
      if (!mayTake(owner)) {
        this.hold(owner, waiting);
        continue;
      }
      const item = waiting.shift();
      this.total -= 1;
      // Without other owners, there is no one to pass the turn to.
      if (waiting.size === 0) this.active.delete(owner);
      else if (this.active.size > 1) {
        this.active.delete(owner);
        this.active.set(owner, waiting);
      }
      return item;
    }
    return undefined;
  }

  /** Releases all held owners; they are served after those that wait. */
  release(): void {
    for (const [owner, waiting] of this.held) this.active.set(owner, waiting);
    this.held.clear();
    this.totalHeld = 0;
  }

  private hold(owner: string, waiting: Fifo<T>): void {
    this.active.delete(owner);
    this.held.set(owner, waiting);
    this.totalHeld += waiting.size;
  }
}
