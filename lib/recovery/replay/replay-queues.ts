import { LaneSender } from '../../queue/lane-sender.ts';
import type { OutgoingMessage } from '../../queue/message-parts.ts';
import { OrderedLane } from '../../queue/ordered-lane.ts';
import { Waiters } from '../../queue/waiters.ts';
import { type Item, type Outcome, type ReplaySending, replayPolicy } from './replay-policy.ts';

/** The maximum that waits before nothing more is read: enough to fill calls with messages of different groups. */
const maxWaiting = 2_000;
const maxWaitingBytes = 16 * 1024 * 1024;

interface QueueSender {
  lane: OrderedLane<Item>;
  sender: LaneSender<Item>;
}

/** Puts messages onto the queues of their functions, and signals when to read more. */
export class Sending {
  private readonly options: ReplaySending;
  private readonly senders = new Map<string, QueueSender>();
  private readonly waiters = new Waiters();
  private waiting = { messages: 0, bytes: 0 };

  constructor(options: ReplaySending) {
    this.options = options;
  }

  get isFull(): boolean {
    return this.waiting.messages >= maxWaiting || this.waiting.bytes >= maxWaitingBytes;
  }

  /** If it is no longer needed when its turn comes, it is settled as such. */
  add(message: OutgoingMessage, isNeedless: () => boolean, onSettled: (outcome: Outcome) => void): void {
    const bytes = message.body.length;
    this.count(1, bytes);
    const settled = (outcome: Outcome) => {
      this.count(-1, -bytes);
      onSettled(outcome);
    };
    const settlesNeedless = () => {
      if (!isNeedless()) return false;
      settled('needless');
      return true;
    };
    // It may have become so while there was no room.
    if (settlesNeedless()) return;
    const { lane, sender } = this.senderOf(message.function);
    lane.add({ message, group: message.groupId, refusals: 0, isNeedless: settlesNeedless, settled });
    sender.soon(setImmediate);
  }

  /** Resolves when there is room for more, here and according to the callback; or when nothing more may begin. */
  async room(isRoom: () => boolean): Promise<void> {
    const { signal } = this.options;
    await this.waiters.until(() => (!this.isFull && isRoom()) || signal.aborted, signal);
  }

  /** Resolves when everything is settled, or when nothing may begin and all calls in flight have been answered. */
  async ended(): Promise<void> {
    const { signal } = this.options;
    await this.waiters.until(() => this.waiting.messages === 0 || (signal.aborted && !this.isCalling()), signal);
  }

  private isCalling(): boolean {
    return [...this.senders.values()].some(({ sender }) => sender.calls > 0);
  }

  private senderOf(functionName: string): QueueSender {
    const known = this.senders.get(functionName);
    if (known) return known;
    const lane = new OrderedLane<Item>();
    const policy = { ...replayPolicy(functionName, this.options), onProgress: () => this.waiters.wake() };
    const made = { lane, sender: new LaneSender(lane, policy) };
    this.senders.set(functionName, made);
    return made;
  }

  private count(messages: number, bytes: number): void {
    this.waiting.messages += messages;
    this.waiting.bytes += bytes;
  }
}
