import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../runtime/clock.ts';
import { retryDelaySeconds } from '../backoff.ts';
import type { DepthOf, SendBatch } from '../lane-sender.ts';
import type { OutgoingMessage } from '../message-parts.ts';
import { FifoQueue, type Received } from './fifo-queue.ts';

/** The same as SQS and Lambda call: a batch, which here is one message. */
export type EmbeddedHandler = (
  event: SQSEvent,
  invocation: { awsRequestId: string; getRemainingTimeInMillis: () => number },
) => Promise<SQSBatchResponse>;

export interface EmbeddedQueuesOptions {
  handlers: Readonly<Record<string, EmbeddedHandler>>;
  /** After this many deliveries a message is given up. Its object says so, and unfinished objects are sent again. */
  maxReceives: number;
  /** How many messages of one function are worked on at a time. */
  concurrency: number;
  /** How long one delivery may take. */
  timeLimitMs: number;
  clock: Pick<Clock, 'now' | 'pause'>;
  onGivenUp: (message: OutgoingMessage) => void;
}

/** A handler answers before its time is over; one that does not is left alone, and its message comes again. */
const graceMs = 5_000;

/** The queues of all functions, in this process. What a crash loses is found again by the list at the next start. */
export class EmbeddedQueues {
  private readonly options: EmbeddedQueuesOptions;
  private readonly queues: ReadonlyMap<string, FifoQueue>;
  private readonly working = new Map<string, Set<Promise<void>>>();
  private readonly receipts = new Map<string, { queue: FifoQueue; received: Received }>();
  private readonly stopping = new AbortController();
  /** When a function is looked at again, if that is planned. */
  private readonly wakingAtMs = new Map<string, number>();
  private receiptCount = 0;

  constructor(options: EmbeddedQueuesOptions) {
    this.options = options;
    const names = Object.keys(options.handlers);
    this.queues = new Map(names.map((name) => [name, new FifoQueue(options.maxReceives)]));
    for (const name of names) this.working.set(name, new Set());
  }

  /** Everything is accepted at once. */
  readonly send: SendBatch = async (functionName, messages) => {
    const queue = this.queueOf(functionName);
    for (const message of messages) queue.add(message, this.nowMs());
    this.workOn(functionName);
    return [];
  };

  readonly depthOf: DepthOf = async (functionName) => this.queueOf(functionName).depth;

  /** Hides a message that is being worked on for so long, should it fail. */
  postpone(receiptHandle: string, seconds: number): void {
    const receipt = this.receipts.get(receiptHandle);
    receipt?.queue.postpone(receipt.received, this.nowMs() + seconds * 1_000);
  }

  /** Begins nothing more, and resolves when all that has begun has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.working.values()].flatMap((each) => [...each]));
  }

  private queueOf(functionName: string): FifoQueue {
    const queue = this.queues.get(functionName);
    if (!queue) throw new Error(`there is no queue for ${functionName}`);
    return queue;
  }

  private nowMs(): number {
    return this.options.clock.now().getTime();
  }

  private workOn(functionName: string): void {
    const queue = this.queueOf(functionName);
    const working = this.working.get(functionName) ?? new Set();
    while (working.size < this.options.concurrency && !this.stopping.signal.aborted) {
      const received = queue.receive(this.nowMs());
      if (!received) break;
      const work = this.deliver(functionName, queue, received).finally(() => {
        working.delete(work);
        this.workOn(functionName);
      });
      working.add(work);
    }
    this.wakeUp(functionName, queue);
  }

  private async deliver(functionName: string, queue: FifoQueue, received: Received): Promise<void> {
    this.receiptCount += 1;
    const receiptHandle = `${functionName}-${this.receiptCount}`;
    this.receipts.set(receiptHandle, { queue, received });
    // A handler that fails without an answer says nothing of a pause.
    queue.postpone(received, this.nowMs() + retryDelaySeconds(received.receiveCount) * 1_000);
    const isDone = await this.invoke(functionName, received, receiptHandle).catch(() => false);
    this.receipts.delete(receiptHandle);
    if (isDone) queue.finish(received, this.nowMs());
    else if (queue.fail(received, this.nowMs())) this.options.onGivenUp(received.message);
  }

  private async invoke(functionName: string, received: Received, receiptHandle: string): Promise<boolean> {
    const { handlers, timeLimitMs, clock } = this.options;
    const endsAtMs = this.nowMs() + timeLimitMs;
    const answered = new AbortController();
    const overdue = clock.pause(timeLimitMs + graceMs, answered.signal).then(() => undefined);
    const handling = handlers[functionName]?.(eventOf(received, receiptHandle), {
      awsRequestId: receiptHandle,
      getRemainingTimeInMillis: () => endsAtMs - this.nowMs(),
    });
    try {
      const answer = await Promise.race([handling, overdue]);
      return answer !== undefined && answer.batchItemFailures.length === 0;
    } finally {
      answered.abort();
    }
  }

  /** Goes on when the next hidden message becomes visible: one timer a function, however many are hidden. */
  private wakeUp(functionName: string, queue: FifoQueue): void {
    const { nextVisibleAtMs: atMs = Number.POSITIVE_INFINITY } = queue;
    const plannedMs = this.wakingAtMs.get(functionName) ?? Number.POSITIVE_INFINITY;
    if (atMs >= plannedMs || this.stopping.signal.aborted) return;
    this.wakingAtMs.set(functionName, atMs);
    void this.options.clock.pause(Math.max(1, atMs - this.nowMs()), this.stopping.signal).then(() => {
      if (this.wakingAtMs.get(functionName) === atMs) this.wakingAtMs.delete(functionName);
      this.workOn(functionName);
    });
  }
}

function eventOf({ message, receiveCount, sentAtMs }: Received, receiptHandle: string): SQSEvent {
  const attributes = {
    MessageGroupId: message.groupId,
    MessageDeduplicationId: message.deduplicationId,
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: String(sentAtMs),
  };
  const record = { messageId: message.deduplicationId, receiptHandle, body: message.body, attributes };
  return { Records: [record as unknown as SQSRecord] };
}
