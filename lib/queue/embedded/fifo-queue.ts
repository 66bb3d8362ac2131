import { retryDelaySeconds } from '../backoff.ts';
import { Fifo } from '../fifo.ts';
import type { OutgoingMessage } from '../message-parts.ts';
import { EarliestFirst } from './earliest-first.ts';

/** One delivery of a message to the function that works on it. */
export interface Received {
  readonly message: OutgoingMessage;
  /** How often it has been received, this time included. */
  readonly receiveCount: number;
  readonly sentAtMs: number;
}

/** What becomes of a message that has failed. */
export type Failed = 'again' | 'given-up';

interface Queued {
  message: OutgoingMessage;
  receiveCount: number;
  readonly sentAtMs: number;
}

/** The messages of one key: the first one, and at most one that came after it was received. */
interface Group {
  readonly id: string;
  readonly messages: Queued[];
  /** The delivery of the first message, while a function works on it. */
  received?: Received | undefined;
  /** Until when the first message rests, after it has failed. */
  restsUntilMs?: number | undefined;
  /** Until when that delivery hides the message, should it fail. */
  postponedToMs?: number | undefined;
}

/**
 * The queue of one function in memory, with the rules of an SQS FIFO queue: within a group one message at a time and in order, a
 * failed one again after its pause and before what came later, and none more often than `maxReceives`. Unlike on SQS, a message
 * that has never been received is replaced by a later one of its group: both ask for the same, and memory is bounded by the
 * number of keys.
 */
export class FifoQueue {
  private readonly maxReceives: number;
  private readonly groups = new Map<string, Group>();
  /** Groups whose first message can be received, in the order in which they became so. */
  private readonly ready = new Fifo<Group>();
  /** Groups whose first message has failed, and rests. Of one that was hurried, its place stays here until its time. */
  private readonly hidden = new EarliestFirst<Group>();

  constructor(maxReceives: number) {
    this.maxReceives = maxReceives;
  }

  /** How many messages can be received: those that rest, or wait behind another one of their group, do not count. */
  get depth(): number {
    return this.ready.size;
  }

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  /** When the next of the messages that rest can be received, if there are any. */
  get nextVisibleAtMs(): number | undefined {
    return this.hidden.firstAtMs;
  }

  /** The time is that of the wall, for whoever works on the message; all other times here are of a clock that never jumps. */
  add(message: OutgoingMessage, sentAtMs: number): void {
    const queued: Queued = { message, receiveCount: 0, sentAtMs };
    const group = this.groups.get(message.groupId);
    const last = group?.messages.at(-1);
    if (!group) {
      const first: Group = { id: message.groupId, messages: [queued] };
      this.groups.set(first.id, first);
      this.ready.push(first);
    } else if (last?.receiveCount === 0) {
      last.message = message;
    } else {
      group.messages.push(queued);
    }
  }

  /** The next message that can be received, if there is one. */
  receive(nowMs: number): Received | undefined {
    for (let due = this.hidden.takeDue(nowMs); due; due = this.hidden.takeDue(nowMs)) {
      if (due.restsUntilMs !== undefined && due.restsUntilMs <= nowMs) this.awaken(due);
    }
    const group = this.ready.shift();
    const first = group?.messages[0];
    if (!group || !first) return undefined;
    first.receiveCount += 1;
    group.received = { ...first };
    return group.received;
  }

  /** Hides a message until then, should this delivery fail. Without it a failed message rests as long as its count says. */
  postpone(received: Received, untilMs: number): void {
    const group = this.workedOnBy(received);
    if (group) group.postponedToMs = untilMs;
  }

  finish(received: Received): void {
    const group = this.workedOnBy(received);
    if (group) this.remove(group);
  }

  /** After the last delivery it does not come again. */
  fail(received: Received, nowMs: number): Failed {
    const group = this.workedOnBy(received);
    const { receiveCount } = received;
    if (receiveCount >= this.maxReceives) {
      if (group) this.remove(group);
      return 'given-up';
    }
    if (group) {
      group.restsUntilMs = group.postponedToMs ?? nowMs + retryDelaySeconds(receiveCount) * 1_000;
      this.hidden.add(group, group.restsUntilMs);
      release(group);
    }
    return 'again';
  }

  /** When the first message of a group can be received again, if it rests. */
  restsUntilMs(groupId: string): number | undefined {
    return this.groups.get(groupId)?.restsUntilMs;
  }

  /**
   * Ends the rest of a group, and counts its attempts anew: its cause is said to be fixed. True if the group has a message.
   * A new change does not do that, as a step that fails after a write causes one itself.
   */
  hurry(groupId: string): boolean {
    const group = this.groups.get(groupId);
    if (group?.restsUntilMs === undefined) return group !== undefined;
    for (const message of group.messages) message.receiveCount = 0;
    this.awaken(group);
    return true;
  }

  private awaken(group: Group): void {
    group.restsUntilMs = undefined;
    this.ready.push(group);
  }

  /** A delivery that has been settled is nobody's any more: what is said of it later changes nothing. */
  private workedOnBy(received: Received): Group | undefined {
    const group = this.groups.get(received.message.groupId);
    return group?.received === received ? group : undefined;
  }

  private remove(group: Group): void {
    group.messages.shift();
    release(group);
    if (group.messages.length > 0) this.ready.push(group);
    else this.groups.delete(group.id);
  }
}

function release(group: Group): void {
  group.received = undefined;
  group.postponedToMs = undefined;
}
