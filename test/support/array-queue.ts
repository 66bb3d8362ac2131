import { setTimeout as pause } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { retryDelaySeconds } from '../../lib/queue/backoff.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';
import type { Handler } from '../../lib/reconcile/serve.ts';

export const maxReceives = 8;
/** What is seconds in production is fractions of them in tests. */
const millisecondsPerSecond = 20;

/** A queue of arrays that keeps the order within a group, and delivers again what has failed. */
export class ArrayQueue {
  readonly invocations: Record<string, number> = {};
  /** What has failed until the end. */
  readonly deadLetters: OutgoingMessage[] = [];
  private readonly handlers: Record<string, Handler>;
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly maxAtOnce: number;
  private atWork = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(handlers: Record<string, Handler>, { maxAtOnce = Number.POSITIVE_INFINITY } = {}) {
    this.handlers = handlers;
    this.maxAtOnce = maxAtOnce;
  }

  send(name: string, messages: OutgoingMessage[]): number[] {
    for (const message of messages) {
      // Each function has a queue of its own, and so groups of its own.
      const lane = `${name} ${message.groupId}`;
      const before = this.lanes.get(lane) ?? Promise.resolve();
      this.lanes.set(
        lane,
        before.then(() => this.deliver(name, message)),
      );
    }
    return [];
  }

  async settled(): Promise<void> {
    await Promise.all(this.lanes.values());
  }

  private async deliver(name: string, message: OutgoingMessage): Promise<void> {
    for (let receiveCount = 1; receiveCount <= maxReceives; receiveCount += 1) {
      this.invocations[name] = (this.invocations[name] ?? 0) + 1;
      if (await this.inTurn(() => this.invoke(name, eventOf(message, receiveCount)))) return;
      await pause(retryDelaySeconds(receiveCount) * millisecondsPerSecond);
    }
    this.deadLetters.push(message);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (this.atWork >= this.maxAtOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.atWork += 1;
    try {
      return await work();
    } finally {
      this.atWork -= 1;
      this.waiting.shift()?.();
    }
  }

  /** A handler that dies has not answered, and so has not done its work. */
  private async invoke(name: string, event: SQSEvent): Promise<boolean> {
    try {
      const answer = await this.handlers[name]?.(event);
      return answer !== undefined && answer.batchItemFailures.length === 0;
    } catch {
      return false;
    }
  }
}

function eventOf(message: OutgoingMessage, receiveCount: number): SQSEvent {
  const record = {
    messageId: message.deduplicationId,
    receiptHandle: message.deduplicationId,
    body: message.body,
    attributes: { MessageGroupId: message.groupId, ApproximateReceiveCount: String(receiveCount) },
  };
  return { Records: [record] } as unknown as SQSEvent;
}
