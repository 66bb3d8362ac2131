import type { ResourceVersion } from '../kubernetes/brands.ts';

/** A change that has been seen, and whose messages have not all been accepted by their queues. */
interface OpenChange {
  /** The version up to which nothing else is open once this is closed. */
  until: ResourceVersion;
  count: number;
  /** Its start, by a monotonic clock. */
  sinceMs: number;
  before: OpenChange | undefined;
  after: OpenChange | undefined;
}

/** A change whose messages are being sent. */
export interface BegunChange {
  /** Adds this many messages. */
  expect: (messages: number) => void;
  /** One of them was accepted. */
  notify: () => void;
  /** There are no more. */
  end: () => void;
}

/**
 * The progress of forwarding the changes of one kind, by version. Their messages are accepted in any order. Keeps only
 * the open changes.
 */
export class Progress {
  private acknowledgedVersion: ResourceVersion | undefined;
  private reachedVersion: ResourceVersion | undefined;
  private first: OpenChange | undefined;
  private last: OpenChange | undefined;

  constructor(since: ResourceVersion | undefined) {
    this.acknowledgedVersion = since;
    this.reachedVersion = since;
  }

  /** The version up to which everything has been accepted. */
  get acknowledged(): ResourceVersion | undefined {
    return this.acknowledgedVersion;
  }

  /** The version up to which everything has been seen. */
  get reached(): ResourceVersion | undefined {
    return this.reachedVersion;
  }

  /** The time since which the first open change has waited. */
  get openSinceMs(): number | undefined {
    return this.first?.sinceMs;
  }

  /**
   * Everything up to this version has been seen, and became this many messages; to be called in the order of versions.
   * Returns the callback for each message that is accepted.
   */
  reach(version: ResourceVersion, messages: number, nowMs: number): () => void {
    this.reachedVersion = version;
    if (messages === 0) {
      if (this.last) this.last.until = version;
      else this.acknowledgedVersion = version;
      return () => {};
    }
    return this.acknowledgerOf(this.open(version, messages, nowMs));
  }

  /** The same for a change whose number of messages is not known at once. */
  begin(version: ResourceVersion, nowMs: number): BegunChange {
    this.reachedVersion = version;
    // The first message that it waits for is its own end.
    const open = this.open(version, 1, nowMs);
    const notify = this.acknowledgerOf(open);
    const expect = (messages: number) => {
      open.count += messages;
    };
    return { expect, notify, end: notify };
  }

  private open(until: ResourceVersion, count: number, sinceMs: number): OpenChange {
    const open: OpenChange = { until, count, sinceMs, before: this.last, after: undefined };
    if (this.last) this.last.after = open;
    else this.first = open;
    this.last = open;
    return open;
  }

  private acknowledgerOf(open: OpenChange): () => void {
    return () => {
      open.count -= 1;
      if (open.count === 0) this.close(open);
    };
  }

  /** A change that closes early is acknowledged together with those before it. */
  private close({ until, before, after }: OpenChange): void {
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
 * True if one resource version is after another. They are numbers of any length, and must be compared as such: see the
 * decision about resource versions.
 */
export function isAfter(version: ResourceVersion, other: ResourceVersion): boolean {
  if (version.length !== other.length) return version.length > other.length;
  return version > other;
}
