import type { ResourceVersion } from '../kubernetes/brands.ts';

/** A change that has been seen, and whose messages have not all been accepted by their queues. */
interface Open {
  /** Up to where nothing else is open once this is done. */
  until: ResourceVersion;
  count: number;
  /** Since when, by a clock that only goes forward. */
  sinceMs: number;
  before: Open | undefined;
  after: Open | undefined;
}

/** A change whose messages are being sent. */
export interface Begun {
  /** Adds this many messages. */
  expect: (messages: number) => void;
  /** One of them was taken. */
  notify: () => void;
  /** There are no more. */
  end: () => void;
}

/**
 * How far the changes of one kind have come, by their versions, whose messages are taken in any order. It keeps what is not
 * done, and nothing of what is.
 */
export class Progress {
  private acknowledgedVersion: ResourceVersion | undefined;
  private reachedVersion: ResourceVersion | undefined;
  private first: Open | undefined;
  private last: Open | undefined;

  constructor(since: ResourceVersion | undefined) {
    this.acknowledgedVersion = since;
    this.reachedVersion = since;
  }

  /** The version up to which everything has been taken. */
  get acknowledged(): ResourceVersion | undefined {
    return this.acknowledgedVersion;
  }

  /** The version up to which everything has been seen. */
  get reached(): ResourceVersion | undefined {
    return this.reachedVersion;
  }

  /** Since when the first unfinished change waits. */
  get openSinceMs(): number | undefined {
    return this.first?.sinceMs;
  }

  /**
   * Everything up to this version has been seen, and is told by so many messages; to be called in the order of versions.
   * Answers what is to be called when one of them is taken.
   */
  reach(version: ResourceVersion, messages: number, nowMs: number): () => void {
    this.reachedVersion = version;
    if (messages === 0) {
      if (this.last) this.last.until = version;
      else this.acknowledgedVersion = version;
      return () => {};
    }
    return this.tellerOf(this.open(version, messages, nowMs));
  }

  /** The same for a change whose number of messages is not known at once. */
  begin(version: ResourceVersion, nowMs: number): Begun {
    this.reachedVersion = version;
    // The first message that it waits for is its own end.
    const open = this.open(version, 1, nowMs);
    const notify = this.tellerOf(open);
    const expect = (messages: number) => {
      open.count += messages;
    };
    return { expect, notify, end: notify };
  }

  private open(until: ResourceVersion, count: number, sinceMs: number): Open {
    const open: Open = { until, count, sinceMs, before: this.last, after: undefined };
    if (this.last) this.last.after = open;
    else this.first = open;
    this.last = open;
    return open;
  }

  private tellerOf(open: Open): () => void {
    return () => {
      open.count -= 1;
      if (open.count === 0) this.close(open);
    };
  }

  /** A change that is done early is passed together with those before it. */
  private close({ until, before, after }: Open): void {
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
export function isAfter(version: ResourceVersion, other: ResourceVersion): boolean {
  if (version.length !== other.length) return version.length > other.length;
  return version > other;
}
