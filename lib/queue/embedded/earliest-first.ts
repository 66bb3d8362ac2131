interface Timed<T> {
  atMs: number;
  item: T;
}

/** What has a time each, earliest first (a binary heap): to add or take one costs little, however many there are. */
export class EarliestFirst<T> {
  private readonly heap: Timed<T>[] = [];

  get size(): number {
    return this.heap.length;
  }

  /** The time of the first one. */
  get firstAtMs(): number | undefined {
    return this.heap[0]?.atMs;
  }

  add(item: T, atMs: number): void {
    const { heap } = this;
    const added = { atMs, item };
    let place = heap.push(added) - 1;
    while (place > 0) {
      const parentPlace = (place - 1) >> 1;
      const parent = heap[parentPlace] as Timed<T>;
      if (parent.atMs <= atMs) break;
      heap[place] = parent;
      place = parentPlace;
    }
    heap[place] = added;
  }

  /** Removes and returns the first one, if it is due. */
  takeDue(nowMs: number): T | undefined {
    const first = this.heap[0];
    if (!first || first.atMs > nowMs) return undefined;
    const last = this.heap.pop() as Timed<T>;
    if (this.heap.length > 0) this.sink(last);
    return first.item;
  }

  /** Puts it where the first one was, and further down below all that are earlier. */
  private sink(moved: Timed<T>): void {
    const { heap } = this;
    let place = 0;
    for (let childPlace = 1; childPlace < heap.length; childPlace = 2 * place + 1) {
      const right = heap[childPlace + 1];
      if (right && right.atMs < (heap[childPlace] as Timed<T>).atMs) childPlace += 1;
      const child = heap[childPlace] as Timed<T>;
      if (moved.atMs <= child.atMs) break;
      heap[place] = child;
      place = childPlace;
    }
    heap[place] = moved;
  }
}
