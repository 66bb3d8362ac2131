import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { retryDelaySeconds } from './backoff.ts';
import { TimeLimit, within } from './time-limit.ts';

export interface Delivery {
  body: string;
  messageId: string;
  /** The message group on the queue; undefined if the invocation does not contain one. */
  groupId?: string | undefined;
  /** How often this message has been delivered, this time included. */
  receiveCount: number;
  /** When it came to the queue, by the queue's own word. */
  sentAt?: Date | undefined;
}

export interface BatchOptions {
  /** Begins nothing more once the signal has aborted. */
  handle: (delivery: Delivery, working: AbortSignal) => Promise<void>;
  /** Hides a message for this long. Until then neither it nor, on a FIFO queue, the rest of its group is delivered. */
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
  /** Whether a retry can help. If not, the message goes to the dead-letter queue without pauses. */
  retryable: (error: unknown) => boolean;
  onFailure: (delivery: Delivery, error: unknown) => void;
  /** After this many deliveries, the queue moves the message to the dead letters at the next receive. */
  maxReceives: number;
  /** The groups that are processed in order; by default the groups of the queue. */
  groupOf?: (record: SQSRecord) => string;
  /** How much time there is; without it there is enough. */
  remainingMs?: number | undefined;
}

/**
 * Handles one batch from a queue: groups in parallel, each group in order. A failure stops its own group only; it and
 * what follows it in the group are reported as failed, so that the queue delivers them again, in order. What time cannot
 * mend stops nothing: it alone is reported, and goes its way to the dead-letter queue. And what takes too long fails, so
 * that there is an answer about all others.
 */
export async function handleBatch(event: SQSEvent, options: BatchOptions): Promise<SQSBatchResponse> {
  const { groupOf = groupOnQueue, remainingMs } = options;
  const groups = Map.groupBy(recordsIn(event), groupOf);
  const limit = new TimeLimit(remainingMs);
  const handling = [...groups.values()].map((group) => handleGroup(group, options, limit));
  const failed = await Promise.all(handling).finally(() => limit.clear());
  return { batchItemFailures: failed.flat().map((record) => ({ itemIdentifier: record.messageId })) };
}

/** A function can be invoked with anything: events that no queue has sent are rejected before any work. */
function recordsIn(event: unknown): SQSRecord[] {
  const records = typeof event === 'object' && event !== null && 'Records' in event ? event.Records : undefined;
  if (Array.isArray(records) && records.every(isObject)) return records;
  throw new Error('the event is not a batch of an SQS queue, because it has no Records: nothing was done');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function groupOnQueue(record: SQSRecord): string {
  return groupIdOf(record) ?? record.messageId;
}

function groupIdOf({ attributes }: SQSRecord): string | undefined {
  const groupId: unknown = attributes?.MessageGroupId;
  return typeof groupId === 'string' ? groupId : undefined;
}

/** A message without a receive count is treated as new. */
function receiveCountOf({ attributes }: SQSRecord): number {
  const count = Number(attributes?.ApproximateReceiveCount);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

function sentAtOf({ attributes }: SQSRecord): Date | undefined {
  const sentAt = new Date(Number(attributes?.SentTimestamp));
  return Number.isNaN(sentAt.getTime()) ? undefined : sentAt;
}

async function handleGroup(group: SQSRecord[], options: BatchOptions, limit: TimeLimit): Promise<SQSRecord[]> {
  const hopeless: SQSRecord[] = [];
  for (const [index, record] of group.entries()) {
    const receiveCount = receiveCountOf(record);
    const groupId = groupIdOf(record);
    const sentAt = sentAtOf(record);
    const delivery = { body: record.body, messageId: record.messageId, groupId, receiveCount, sentAt };
    try {
      await within(limit.waiting, options.handle(delivery, limit.working));
    } catch (error) {
      options.onFailure(delivery, error);
      if (!options.retryable(error)) {
        hopeless.push(record);
        continue;
      }
      await postponeAll(hopeless, 0, options);
      const rest = group.slice(index);
      // A message that becomes a dead letter gets no pause, which would delay the messages behind it.
      const pause = receiveCount >= options.maxReceives ? 0 : retryDelaySeconds(receiveCount);
      await postponeAll(rest, pause, options);
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
