import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { OutgoingMessage } from '../../lib/queue/message.ts';

export interface QueuedMessage {
  message: OutgoingMessage;
  receives: number;
  /** Not delivered before this time, and with it its whole group. */
  visibleAt: number;
}

/** FIFO queues with groups, back-off by visibility and dead letters, as SQS has them. */
export class FakeQueue {
  readonly deadLetters: OutgoingMessage[] = [];
  readonly delivered: OutgoingMessage[] = [];
  private readonly groups = new Map<string, QueuedMessage[]>();
  private readonly inFlight = new Set<string>();
  private readonly maxReceives: number;

  constructor(maxReceives: number) {
    this.maxReceives = maxReceives;
  }

  send(message: OutgoingMessage, position?: number): void {
    const group = this.groups.get(message.groupId) ?? [];
    group.splice(position ?? group.length, 0, { message, receives: 0, visibleAt: 0 });
    this.groups.set(message.groupId, group);
  }

  get size(): number {
    return this.groups.size;
  }

  /** The groups of which a message can be delivered now. */
  deliverable(now: number): QueuedMessage[] {
    return [...this.groups]
      .filter(([groupId]) => !this.inFlight.has(groupId))
      .map(([, group]) => group[0])
      .filter((queued) => queued !== undefined && queued.visibleAt <= now) as QueuedMessage[];
  }

  receive(queued: QueuedMessage): SQSEvent {
    queued.receives += 1;
    this.inFlight.add(queued.message.groupId);
    this.delivered.push(queued.message);
    return eventOf(queued.message, queued.receives);
  }

  done(queued: QueuedMessage): void {
    this.inFlight.delete(queued.message.groupId);
    this.remove(queued);
  }

  failed(queued: QueuedMessage): void {
    this.inFlight.delete(queued.message.groupId);
    if (queued.receives < this.maxReceives) return;
    this.deadLetters.push(queued.message);
    this.remove(queued);
  }

  private remove(queued: QueuedMessage): void {
    const group = this.groups.get(queued.message.groupId)?.filter((other) => other !== queued) ?? [];
    if (group.length === 0) this.groups.delete(queued.message.groupId);
    else this.groups.set(queued.message.groupId, group);
  }
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
