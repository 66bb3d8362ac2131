import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { retryDelaySeconds } from './backoff.ts';

export interface Delivery {
  body: string;
  messageId: string;
  /** How often this message has been delivered, this time included. */
  receiveCount: number;
}

export interface BatchOptions {
  handle: (delivery: Delivery) => Promise<void>;
  /** Makes a message invisible for so long: until then it, and on a FIFO queue its whole group, is not delivered. */
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
  /** Whether time can mend it. What it cannot mend goes on to the dead-letter queue without resting in between. */
  retryable: (error: unknown) => boolean;
  onFailure: (delivery: Delivery, error: unknown) => void;
}

/**
 * Handles one batch from a queue: groups in parallel, each group in order. A failure stops its own group only; it and
 * what follows it in the group are reported as failed, so that the queue delivers them again, in order. What time cannot
 * mend stops nothing: it alone is reported, and goes its way to the dead-letter queue.
 */
export async function handleBatch(event: SQSEvent, options: BatchOptions): Promise<SQSBatchResponse> {
  const groups = Map.groupBy(event.Records, (record) => record.attributes.MessageGroupId ?? record.messageId);
  const failed = await Promise.all([...groups.values()].map((group) => handleGroup(group, options)));
  return { batchItemFailures: failed.flat().map((record) => ({ itemIdentifier: record.messageId })) };
}

async function handleGroup(group: SQSRecord[], options: BatchOptions): Promise<SQSRecord[]> {
  const hopeless: SQSRecord[] = [];
  for (const [index, record] of group.entries()) {
    const receiveCount = Number(record.attributes.ApproximateReceiveCount);
    const delivery = { body: record.body, messageId: record.messageId, receiveCount };
    try {
      await options.handle(delivery);
    } catch (error) {
      options.onFailure(delivery, error);
      if (!options.retryable(error)) {
        hopeless.push(record);
        continue;
      }
      await postponeAll(hopeless, 0, options);
      const rest = group.slice(index);
      await postponeAll(rest, retryDelaySeconds(receiveCount), options);
      return [...hopeless, ...rest];
    }
  }
  await postponeAll(hopeless, 0, options);
  return hopeless;
}

/** Without it the messages only come back after the queue's own visibility timeout: worth trying, never worth failing. */
async function postponeAll(records: SQSRecord[], seconds: number, options: BatchOptions): Promise<void> {
  await Promise.allSettled(records.map((record) => options.postpone(record.receiptHandle, seconds)));
}
