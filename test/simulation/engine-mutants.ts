import { FifoQueue, type Received } from '../../lib/queue/embedded/fifo-queue.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';

export type QueueOfFunction = Pick<FifoQueue, 'add' | 'receive' | 'postpone' | 'finish' | 'fail' | 'isEmpty'>;

/** A way of making the queues of `longshore run` wrong: the simulation must notice. */
export interface EngineMutant {
  name: string;
  create: (maxReceives: number) => QueueOfFunction;
}

class LosingWhatFails extends FifoQueue {
  override fail(received: Received) {
    this.finish(received);
    return 'again' as const;
  }
}

/** Each second message of a group is in a queue of its own, which knows nothing of the other one. */
class TwoOfAGroup implements QueueOfFunction {
  private readonly queues: readonly [FifoQueue, FifoQueue];
  private readonly of = new WeakMap<Received, FifoQueue>();
  private count = 0;

  constructor(maxReceives: number) {
    this.queues = [new FifoQueue(maxReceives), new FifoQueue(maxReceives)];
  }

  get isEmpty(): boolean {
    return this.queues.every(({ isEmpty }) => isEmpty);
  }

  add(...given: Parameters<FifoQueue['add']>): void {
    this.count += 1;
    this.queues[this.count % 2 === 0 ? 0 : 1].add(...given);
  }

  receive(nowMs: number): Received | undefined {
    for (const queue of this.queues) {
      const received = queue.receive(nowMs);
      if (received) this.of.set(received, queue);
      if (received) return received;
    }
    return undefined;
  }

  postpone(received: Received, untilMs: number): void {
    this.of.get(received)?.postpone(received, untilMs);
  }

  finish(received: Received): void {
    this.of.get(received)?.finish(received);
  }

  fail(received: Received, nowMs: number) {
    return this.of.get(received)?.fail(received, nowMs) ?? ('again' as const);
  }
}

/** It takes what is worked on for the latest word on its key. */
class ForgettingWhatComesMeanwhile extends FifoQueue {
  private readonly workedOn = new Set<string>();

  override add(message: OutgoingMessage, sentAtMs: number): void {
    if (!this.workedOn.has(message.groupId)) super.add(message, sentAtMs);
  }

  override receive(nowMs: number): Received | undefined {
    const received = super.receive(nowMs);
    if (received) this.workedOn.add(received.message.groupId);
    return received;
  }

  override finish(received: Received): void {
    this.workedOn.delete(received.message.groupId);
    super.finish(received);
  }

  override fail(received: Received, nowMs: number) {
    this.workedOn.delete(received.message.groupId);
    return super.fail(received, nowMs);
  }
}

class WithoutPauses extends FifoQueue {
  override fail(received: Received, nowMs: number) {
    this.postpone(received, nowMs);
    return super.fail(received, nowMs);
  }
}

export const engineMutants: readonly EngineMutant[] = [
  { name: 'loses-what-fails', create: (maxReceives) => new LosingWhatFails(maxReceives) },
  { name: 'works-on-two-of-a-group', create: (maxReceives) => new TwoOfAGroup(maxReceives) },
  { name: 'forgets-what-comes-meanwhile', create: (maxReceives) => new ForgettingWhatComesMeanwhile(maxReceives) },
  { name: 'does-not-pause', create: (maxReceives) => new WithoutPauses(maxReceives) },
];
