/** Something that has been seen, and is told by messages that are still to be taken by their queues. */
interface Open<Point> {
  /** Up to where nothing else is open once this is done. */
  until: Point;
  count: number;
  /** Since when, by a clock that only goes forward. */
  sinceMs: number;
  before: Open<Point> | undefined;
  after: Open<Point> | undefined;
}

/** Something that is being told. */
export interface Begun {
  /** So many messages more. */
  expect: (messages: number) => void;
  /** One of them was taken. */
  tell: () => void;
  /** There are no more. */
  end: () => void;
}

/**
 * How far something has come whose messages are taken in any order: the changes of one kind that are forwarded, by their
 * versions, or what is replayed. It keeps what is not done, and nothing of what is.
 */
export class Progress<Point = string> {
  private acknowledgedVersion: Point | undefined;
  private reachedVersion: Point | undefined;
  private first: Open<Point> | undefined;
  private last: Open<Point> | undefined;

  constructor(since: Point | undefined) {
    this.acknowledgedVersion = since;
    this.reachedVersion = since;
  }

  /** The version up to which everything has been taken. */
  get acknowledged(): Point | undefined {
    return this.acknowledgedVersion;
  }

  /** The version up to which everything has been seen. */
  get reached(): Point | undefined {
    return this.reachedVersion;
  }

  /** Since when the first of what is not done waits. */
  get openSinceMs(): number | undefined {
    return this.first?.sinceMs;
  }

  /**
   * Everything up to this version has been seen, and is told by so many messages; to be called in the order of versions.
   * Answers what is to be called when one of them is taken.
   */
  reach(version: Point, messages: number, nowMs: number): () => void {
    this.reachedVersion = version;
    if (messages === 0) {
      if (this.last) this.last.until = version;
      else this.acknowledgedVersion = version;
      return () => {};
    }
    return this.tellerOf(this.open(version, messages, nowMs));
  }

  /** The same for what is found out bit by bit: by how many messages it is told. */
  begin(version: Point, nowMs: number): Begun {
    this.reachedVersion = version;
    // The first message that it waits for is its own end.
    const open = this.open(version, 1, nowMs);
    const tell = this.tellerOf(open);
    const expect = (messages: number) => {
      open.count += messages;
    };
    return { expect, tell, end: tell };
  }

  private open(until: Point, count: number, sinceMs: number): Open<Point> {
    const open: Open<Point> = { until, count, sinceMs, before: this.last, after: undefined };
    if (this.last) this.last.after = open;
    else this.first = open;
    this.last = open;
    return open;
  }

  private tellerOf(open: Open<Point>): () => void {
    return () => {
      open.count -= 1;
      if (open.count === 0) this.close(open);
    };
  }

  /** What is done before its turn is passed together with what it waits for. */
  private close({ until, before, after }: Open<Point>): void {
    if (before) {
      before.until = until;
      before.after = after;
    } else {
      this.acknowledgedVersion = until;
      this.first = after;
    }
    if (after) after.before = before;
    else this.last = before;
  }
}

/**
 * Whether one resource version is after another. They are numbers of any length, and have to be compared as such: see the
 * decision about resource versions.
 */
export function isAfter(version: string, other: string): boolean {
  if (version.length !== other.length) return version.length > other.length;
  return version > other;
}
