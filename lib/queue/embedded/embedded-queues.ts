import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../runtime/clock.ts';
import type { DepthOf, SendBatch } from '../lane-sender.ts';
import type { OutgoingMessage } from '../message-parts.ts';
import { FifoQueue, type Received } from './fifo-queue.ts';
import { WakeUp } from './wake-up.ts';

/** The same as SQS and Lambda call: with a batch, which here is one message. */
export type EmbeddedHandler = (
  event: SQSEvent,
  invocation: { awsRequestId: string; getRemainingTimeInMillis: () => number },
) => Promise<SQSBatchResponse>;

export interface EmbeddedQueuesOptions {
  handlers: Readonly<Record<string, EmbeddedHandler>>;
  /** After this many deliveries a message is given up. Its object says so, and comes again while it is unfinished. */
  maxReceives: number;
  /** How many messages of one function are worked on at a time. */
  concurrency: number;
  /** How long one delivery may take. */
  timeLimitMs: number;
  clock: Clock;
  onGivenUp: (message: OutgoingMessage, how: LastDelivery) => void;
  /** A handler threw an error, or did not answer: then it has logged nothing itself. */
  onUnanswered: (message: OutgoingMessage, error: unknown) => void;
}

/** Whether the handler answered at its last delivery: then it has logged and counted the failure itself. */
export interface LastDelivery {
  isAnswered: boolean;
}

type Answer = 'done' | 'failed' | 'none';

/** A handler answers before its time is over. One that does not is left alone, and its message comes again. */
const graceMs = 5_000;

interface Lane {
  queue: FifoQueue;
  handler: EmbeddedHandler;
  working: Set<Promise<void>>;
  wakeUp: WakeUp;
}

/** The queues of all functions for one cluster, in this process. What a crash loses is found again by the next list. */
export class EmbeddedQueues {
  private readonly options: EmbeddedQueuesOptions;
  private readonly lanes: ReadonlyMap<string, Lane>;
  private readonly receipts = new Map<string, { queue: FifoQueue; received: Received }>();
  private receiptCount = 0;
  private isStopped = false;

  constructor(options: EmbeddedQueuesOptions) {
    this.options = options;
    const { handlers, maxReceives, clock } = options;
    this.lanes = new Map(
      Object.entries(handlers).map(([name, handler]) => {
        const wakeUp = new WakeUp(clock, () => this.workOn(name));
        return [name, { queue: new FifoQueue(maxReceives), handler, working: new Set(), wakeUp }];
      }),
    );
  }

  /** Everything is accepted at once. */
  readonly send: SendBatch = async (functionName, messages) => {
    const { queue } = this.laneOf(functionName);
    for (const message of messages) queue.add(message, this.options.clock.now().getTime());
    this.workOn(functionName);
    return [];
  };

  readonly depthOf: DepthOf = async (functionName) => this.laneOf(functionName).queue.depth;

  /** Hides a message that is being worked on for so long, should it fail. */
  readonly postpone = async (receiptHandle: string, seconds: number): Promise<void> => {
    const receipt = this.receipts.get(receiptHandle);
    receipt?.queue.postpone(receipt.received, this.nowMs() + seconds * 1_000);
  };

  /** When a message that rests is tried again, by the clock's `elapsedMs`. */
  restsUntilMs(functionName: string, groupId: string): number | undefined {
    return this.lanes.get(functionName)?.queue.restsUntilMs(groupId);
  }

  /** Has a message that rests tried at once. False if there is none of this group. */
  hurry(functionName: string, groupId: string): boolean {
    const isThere = this.lanes.get(functionName)?.queue.hurry(groupId) ?? false;
    if (isThere) this.workOn(functionName);
    return isThere;
  }

  /** Begins nothing more, and resolves when all that has begun has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { wakeUp } of this.lanes.values()) wakeUp.at();
    await Promise.all([...this.lanes.values()].flatMap(({ working }) => [...working]));
  }

  private laneOf(functionName: string): Lane {
    const lane = this.lanes.get(functionName);
    if (!lane) throw new Error(`there is no queue for ${functionName}`);
    return lane;
  }

  private nowMs(): number {
    return this.options.clock.elapsedMs();
  }

  private workOn(functionName: string): void {
    const lane = this.laneOf(functionName);
    const { queue, working, wakeUp } = lane;
    while (working.size < this.options.concurrency && !this.isStopped) {
      const received = queue.receive(this.nowMs());
      if (!received) break;
      const work = this.deliver(functionName, lane, received).finally(() => {
        working.delete(work);
        this.workOn(functionName);
      });
      working.add(work);
    }
    // At the limit, the next delivery that ends looks for what has become due.
    const canWork = working.size < this.options.concurrency && !this.isStopped;
    wakeUp.at(canWork ? queue.nextVisibleAtMs : undefined);
  }

  private async deliver(functionName: string, { queue, handler }: Lane, received: Received): Promise<void> {
    this.receiptCount += 1;
    const receiptHandle = `${functionName}-${this.receiptCount}`;
    this.receipts.set(receiptHandle, { queue, received });
    const answer = await this.invoke(handler, received, receiptHandle).catch((error: unknown) => {
      this.options.onUnanswered(received.message, error);
      return 'none' as const;
    });
    this.receipts.delete(receiptHandle);
    if (answer === 'done') queue.finish(received);
    else if (queue.fail(received, this.nowMs()) === 'given-up')
      this.options.onGivenUp(received.message, { isAnswered: answer === 'failed' });
  }

  private async invoke(handler: EmbeddedHandler, received: Received, receiptHandle: string): Promise<Answer> {
    const { timeLimitMs, clock } = this.options;
    const endsAtMs = this.nowMs() + timeLimitMs;
    const answered = new AbortController();
    const overdue = clock.pause(timeLimitMs + graceMs, answered.signal).then(() => {
      throw new Error(`it has not answered in ${(timeLimitMs + graceMs) / 1_000} s`);
    });
    const invocation = { awsRequestId: receiptHandle, getRemainingTimeInMillis: () => endsAtMs - this.nowMs() };
    const handle = async () => handler(eventOf(received, receiptHandle), invocation);
    try {
      const { batchItemFailures } = await Promise.race([handle(), overdue]);
      return batchItemFailures.length === 0 ? 'done' : 'failed';
    } finally {
      answered.abort();
    }
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
