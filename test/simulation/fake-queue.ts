import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import type { Random } from './random.ts';
import type { SimulatedQueue, Taken } from './simulated-queue.ts';

interface QueuedMessage {
  message: OutgoingMessage;
  receives: number;
  /** Not delivered before this time, and with it its whole group. */
  visibleAt: number;
}

/** FIFO queues with groups, back-off by visibility and dead letters, as SQS has them. */
export class FakeQueue implements SimulatedQueue {
  readonly deadLetters: OutgoingMessage[] = [];
  readonly delivered: OutgoingMessage[] = [];
  private readonly groups = new Map<string, QueuedMessage[]>();
  private readonly inFlight = new Set<string>();
  private readonly maxReceives: number;

  constructor(maxReceives: number) {
    this.maxReceives = maxReceives;
  }

  send(message: OutgoingMessage, position?: number): void {
    const lane = laneOf(message);
    const group = this.groups.get(lane) ?? [];
    group.splice(position ?? group.length, 0, { message, receives: 0, visibleAt: 0 });
    this.groups.set(lane, group);
  }

  get size(): number {
    return this.groups.size;
  }

  /** What is on the queues is lost, and so is what is being worked on if that fails. */
  empty(): void {
    this.groups.clear();
  }

  take(nowMs: number, random: Random): Taken | undefined {
    const ready = this.deliverable(nowMs);
    if (ready.length === 0) return undefined;
    const queued = random.pick(ready);
    queued.receives += 1;
    this.inFlight.add(laneOf(queued.message));
    this.delivered.push(queued.message);
    return {
      message: queued.message,
      receives: queued.receives,
      postpone: (untilMs) => {
        queued.visibleAt = untilMs;
      },
      done: () => this.done(queued),
      failed: () => this.failed(queued),
    };
  }

  /** Faults are what it has of its own: nothing is to be found out about it. */
  checkEnd(): void {}

  /** The groups of which a message can be delivered now. */
  private deliverable(now: number): QueuedMessage[] {
    return [...this.groups]
      .filter(([lane]) => !this.inFlight.has(lane))
      .map(([, group]) => group[0])
      .filter((queued) => queued !== undefined && queued.visibleAt <= now) as QueuedMessage[];
  }

  private done(queued: QueuedMessage): void {
    this.inFlight.delete(laneOf(queued.message));
    this.remove(queued);
  }

  private failed(queued: QueuedMessage): void {
    this.inFlight.delete(laneOf(queued.message));
    if (queued.receives < this.maxReceives) return;
    this.deadLetters.push(queued.message);
    this.remove(queued);
  }

  private remove(queued: QueuedMessage): void {
    const lane = laneOf(queued.message);
    const group = this.groups.get(lane)?.filter((other) => other !== queued) ?? [];
    if (group.length === 0) this.groups.delete(lane);
    else this.groups.set(lane, group);
  }
}

/** Each function has a queue of its own, and so groups of its own. */
export function laneOf({ function: name, groupId }: OutgoingMessage): string {
  return `${name} ${groupId}`;
}

export function eventOf(message: OutgoingMessage, receives: number): SQSEvent {
  const record = {
    messageId: message.deduplicationId,
    receiptHandle: message.deduplicationId,
    body: message.body,
    attributes: { MessageGroupId: message.groupId, ApproximateReceiveCount: String(receives) },
  };
  return { Records: [record as unknown as SQSRecord] };
}
