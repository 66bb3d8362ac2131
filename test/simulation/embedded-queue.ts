import { FifoQueue, type Received } from '../../lib/queue/embedded/fifo-queue.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import { Violation } from './capability.ts';
import type { QueueOfFunction } from './engine-mutants.ts';
import { laneOf } from './fake-queue.ts';
import type { Random } from './random.ts';
import type { SimulatedQueue, Taken } from './simulated-queue.ts';

/** What is known of one key, without looking into the queue. */
interface Lane {
  /** The last of its messages that was sent, and the last one that was delivered: they are numbered as they come. */
  sent: number;
  delivered: number;
  isWorkedOn: boolean;
  /** The message that has failed and comes next, how often it was delivered, and not before when. */
  failed?: { number: number; receives: number; fromMs: number } | undefined;
}

/** The queues of `longshore run`, and whether they keep to their rules whatever becomes of their messages. */
export class EmbeddedQueue implements SimulatedQueue {
  readonly deadLetters: OutgoingMessage[] = [];
  readonly delivered: OutgoingMessage[] = [];
  private readonly maxReceives: number;
  private readonly create: () => QueueOfFunction;
  private readonly queues = new Map<string, QueueOfFunction>();
  private readonly lanes = new Map<string, Lane>();
  private readonly numbers = new WeakMap<OutgoingMessage, number>();
  private count = 0;
  private generation = 0;

  constructor(maxReceives: number, create: (maxReceives: number) => QueueOfFunction = (most) => new FifoQueue(most)) {
    this.maxReceives = maxReceives;
    this.create = () => create(maxReceives);
  }

  get size(): number {
    return [...this.queues.values()].filter(({ isEmpty }) => !isEmpty).length;
  }

  /** Nobody can put anything in front of others. */
  send(message: OutgoingMessage): void {
    this.count += 1;
    const sent = { ...message };
    this.numbers.set(sent, this.count);
    this.laneFor(sent).sent = this.count;
    const queue = this.queues.get(message.function) ?? this.create();
    this.queues.set(message.function, queue);
    queue.add(sent, 0);
  }

  take(nowMs: number, random: Random): Taken | undefined {
    const names = [...this.queues.keys()];
    const first = names.length > 0 ? random.below(names.length) : 0;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const queue = this.queues.get(name);
      const received = queue?.receive(nowMs);
      if (queue && received) return this.taken(queue, received, nowMs);
    }
    return undefined;
  }

  /** The process is killed. */
  empty(): void {
    this.generation += 1;
    this.queues.clear();
    this.lanes.clear();
  }

  checkEnd(): void {
    for (const [name, { sent, delivered, isWorkedOn, failed }] of this.lanes) {
      if (delivered < sent) throw new Violation(`the queue has forgotten the last message of ${name}`);
      if (failed) throw new Violation(`the queue has lost a message of ${name} that has failed`);
      if (isWorkedOn) throw new Violation(`the queue waits for a message of ${name} for ever`);
    }
  }

  private taken(queue: QueueOfFunction, received: Received, nowMs: number): Taken {
    const { message, receiveCount } = received;
    const { generation } = this;
    const lane = this.laneFor(message);
    const number = this.numbers.get(message) ?? 0;
    this.checkDelivery(lane, number, received, nowMs);
    lane.delivered = number;
    lane.isWorkedOn = true;
    lane.failed = undefined;
    this.delivered.push(message);
    let postponedToMs: number | undefined;
    const settle = (act: () => void) => {
      // What a process that is gone had begun is nobody's any more.
      if (generation !== this.generation) return;
      lane.isWorkedOn = false;
      act();
    };
    return {
      message,
      receives: receiveCount,
      postpone: (untilMs) => {
        postponedToMs = untilMs;
        queue.postpone(received, untilMs);
      },
      done: () => settle(() => queue.finish(received)),
      failed: (failedMs) =>
        settle(() => {
          if (receiveCount >= this.maxReceives) this.deadLetters.push(message);
          else lane.failed = { number, receives: receiveCount, fromMs: postponedToMs ?? failedMs };
          queue.fail(received, failedMs);
        }),
    };
  }

  private checkDelivery(lane: Lane, number: number, { message, receiveCount }: Received, nowMs: number): void {
    const name = laneOf(message);
    const { isWorkedOn, failed, delivered } = lane;
    if (isWorkedOn) throw new Violation(`the queue delivers two messages of ${name} at a time`);
    if (number < delivered) throw new Violation(`the queue delivers messages of ${name} in another order`);
    if (receiveCount > this.maxReceives) throw new Violation(`the queue does not give up a message of ${name}`);
    if (!failed) return;
    if (number !== failed.number) throw new Violation(`the queue has lost a message of ${name} that has failed`);
    if (receiveCount !== failed.receives + 1) throw new Violation(`the queue miscounts the deliveries of ${name}`);
    if (nowMs < failed.fromMs) throw new Violation(`the queue does not let a message of ${name} rest that has failed`);
  }

  private laneFor(message: OutgoingMessage): Lane {
    const name = laneOf(message);
    const known = this.lanes.get(name);
    if (known) return known;
    const lane = { sent: 0, delivered: 0, isWorkedOn: false };
    this.lanes.set(name, lane);
    return lane;
  }
}
