/** Waiting items, oldest first. Taken items are dropped in bulk: shifting an array would copy the rest each time. */
export class Fifo<T> {
  private items: T[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  get first(): T | undefined {
    return this.items[this.head];
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    const { first } = this;
    if (this.size === 0) return undefined;
    this.head += 1;
    if (this.size === 0 || (this.head > 1_000 && this.head * 2 > this.items.length)) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return first;
  }
}
