import { Fifo } from '../fifo.ts';
import type { OutgoingMessage } from '../message-parts.ts';

/** A message that a function works on. */
export interface Received {
  readonly message: OutgoingMessage;
  /** How often it has been received, this time included. */
  readonly receiveCount: number;
  readonly sentAtMs: number;
}

interface Queued {
  message: OutgoingMessage;
  receiveCount: number;
  sentAtMs: number;
  /** It is not received before this time, nor is what waits behind it. */
  visibleAtMs: number;
}

/** The messages of one key, oldest first. Only the first one is ever received. */
interface Group {
  messages: Queued[];
  isReceived: boolean;
}

/**
 * The queue of one function in memory, with the rules of an SQS FIFO queue: within a group one message at a time and in order, a
 * failed one again after its pause, and none more often than `maxReceives`. In contrast to SQS, a message that has not been
 * received yet is replaced by a later one of its group: both ask for the same, and memory is bounded by the number of keys.
 */
export class FifoQueue {
  private readonly maxReceives: number;
  private readonly groups = new Map<string, Group>();
  /** Groups whose first message can be received, in the order in which they became so. */
  private readonly ready = new Fifo<string>();
  /** Groups whose first message is hidden. */
  private readonly hidden = new Set<string>();
  private readonly received = new Map<Received, Queued>();
  /** When the first of the hidden messages becomes visible: until then none of them needs a look. */
  private firstVisibleAtMs = Number.POSITIVE_INFINITY;

  constructor(maxReceives: number) {
    this.maxReceives = maxReceives;
  }

  /** How many messages wait, and are neither received nor hidden. */
  get depth(): number {
    let depth = 0;
    for (const [id, { messages, isReceived }] of this.groups) {
      if (!this.hidden.has(id)) depth += messages.length - (isReceived ? 1 : 0);
    }
    return depth;
  }

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  add(message: OutgoingMessage, nowMs: number): void {
    const { groupId } = message;
    const queued: Queued = { message, receiveCount: 0, sentAtMs: nowMs, visibleAtMs: nowMs };
    const group = this.groups.get(groupId);
    if (!group) {
      this.groups.set(groupId, { messages: [queued], isReceived: false });
      this.ready.push(groupId);
      return;
    }
    const last = group.messages.at(-1);
    if (last?.receiveCount === 0) last.message = message;
    else group.messages.push(queued);
  }

  /** The next message that can be received, if there is one. */
  receive(nowMs: number): Received | undefined {
    this.showDue(nowMs);
    const groupId = this.ready.shift();
    const group = groupId === undefined ? undefined : this.groups.get(groupId);
    const queued = group?.messages[0];
    if (!group || !queued) return undefined;
    queued.receiveCount += 1;
    group.isReceived = true;
    const { message, receiveCount, sentAtMs } = queued;
    const received = { message, receiveCount, sentAtMs };
    this.received.set(received, queued);
    return received;
  }

  /** Hides a received message until then, should it fail. */
  postpone(received: Received, untilMs: number): void {
    const queued = this.received.get(received);
    if (queued) queued.visibleAtMs = untilMs;
  }

  finish(received: Received, nowMs: number): void {
    this.settle(received, nowMs, true);
  }

  /** It comes again when it is visible. Returns whether it was the last time: then it does not come again. */
  fail(received: Received, nowMs: number): boolean {
    const isLast = received.receiveCount >= this.maxReceives;
    this.settle(received, nowMs, isLast);
    return isLast;
  }

  /** When the next hidden message becomes visible, if there is one. */
  get nextVisibleAtMs(): number | undefined {
    return this.hidden.size === 0 ? undefined : this.firstVisibleAtMs;
  }

  private settle(received: Received, nowMs: number, isOver: boolean): void {
    const { groupId } = received.message;
    const group = this.groups.get(groupId);
    if (!this.received.delete(received) || !group) return;
    if (isOver) group.messages.shift();
    group.isReceived = false;
    this.place(groupId, group, nowMs);
  }

  private place(groupId: string, { messages: [first] }: Group, nowMs: number): void {
    if (!first) this.groups.delete(groupId);
    else if (first.visibleAtMs > nowMs) this.hide(groupId, first.visibleAtMs);
    else this.ready.push(groupId);
  }

  private hide(groupId: string, untilMs: number): void {
    this.hidden.add(groupId);
    this.firstVisibleAtMs = Math.min(this.firstVisibleAtMs, untilMs);
  }

  private showDue(nowMs: number): void {
    if (nowMs < this.firstVisibleAtMs) return;
    const before = [...this.hidden];
    this.hidden.clear();
    this.firstVisibleAtMs = Number.POSITIVE_INFINITY;
    for (const groupId of before) {
      const group = this.groups.get(groupId);
      if (group) this.place(groupId, group, nowMs);
    }
  }
}
