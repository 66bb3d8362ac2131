import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { retryDelaySeconds } from './backoff.ts';
import { TimeLimit } from './time-limit.ts';

export interface Delivery<Content> {
  body: string;
  /** The body as it was read. */
  content: Content;
  messageId: string;
  /** The message group on the queue; undefined if the invocation does not contain one. */
  groupId?: string | undefined;
  /** The number of deliveries of this message, including this one. */
  receiveCount: number;
  /** The time at which the queue received it, according to the queue. */
  sentAt?: Date | undefined;
}

/** The outcome of a delivery. Retries do not help a hopeless one: it goes to the dead-letter queue without delays. */
export type Verdict = 'done' | 'retry' | 'hopeless';

export interface BatchOptions<Content> {
  /** Called once for each body, whatever it contains. */
  read: (body: string) => Content;
  /** Never rejects. It ends, and begins nothing more, once the limit is reached. */
  attempt: (delivery: Delivery<Content>, limit: TimeLimit) => Promise<Verdict>;
  /** Hides a message for this long. Until then neither it nor, on a FIFO queue, the rest of its group is delivered. */
  postpone: (receiptHandle: string, seconds: number) => Promise<void>;
  /** After this many deliveries, the queue moves the message to the dead letters at the next receive. */
  maxReceives: number;
  /** The groups that are processed in order; by default the groups of the queue. */
  groupOf?: ((delivery: Delivery<Content>) => string) | undefined;
  /** The remaining time; without it there is no limit. */
  remainingMs?: number | undefined;
}

interface Received<Content> {
  record: SQSRecord;
  delivery: Delivery<Content>;
}

/**
 * Handles one batch from a queue: groups in parallel, each group in order. A failure only stops its own group; the
 * message and those after it in the group are reported as failed, so that the queue delivers them again, in order. A
 * hopeless message stops nothing: only that one is reported, and proceeds to the dead-letter queue. And work that takes
 * too long fails, so that the results of all others are returned.
 */
export async function handleBatch<Content>(event: SQSEvent, options: BatchOptions<Content>): Promise<SQSBatchResponse> {
  const { groupOf = groupOnQueue, remainingMs, read } = options;
  const received = recordsIn(event).map((record) => ({ record, delivery: deliveryOf(record, read) }));
  const groups = Map.groupBy(received, ({ delivery }) => groupOf(delivery));
  const limit = new TimeLimit(remainingMs);
  const handling = [...groups.values()].map((group) => handleGroup(group, options, limit));
  const failed = await Promise.all(handling).finally(() => limit.clear());
  return { batchItemFailures: failed.flat().map(({ delivery }) => ({ itemIdentifier: delivery.messageId })) };
}

/** A function can be invoked with anything: events that did not come from a queue are rejected before any work. */
function recordsIn(event: unknown): SQSRecord[] {
  const records = typeof event === 'object' && event !== null && 'Records' in event ? event.Records : undefined;
  if (Array.isArray(records) && records.every(isObject)) return records;
  throw new Error('the event is not a batch of an SQS queue, because it has no Records: nothing was done');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A message without a receive count is treated as new. */
function deliveryOf<Content>(
  { body, messageId, attributes }: SQSRecord,
  read: (body: string) => Content,
): Delivery<Content> {
  const groupId: unknown = attributes?.MessageGroupId;
  const count = Number(attributes?.ApproximateReceiveCount);
  const sentAt = new Date(Number(attributes?.SentTimestamp));
  return {
    body,
    content: read(body),
    messageId,
    groupId: typeof groupId === 'string' ? groupId : undefined,
    receiveCount: Number.isInteger(count) && count > 0 ? count : 1,
    sentAt: Number.isNaN(sentAt.getTime()) ? undefined : sentAt,
  };
}

function groupOnQueue({ groupId, messageId }: Delivery<unknown>): string {
  return groupId ?? messageId;
}

/** Returns the messages that were not done. */
async function handleGroup<Content>(
  group: Received<Content>[],
  options: BatchOptions<Content>,
  limit: TimeLimit,
): Promise<Received<Content>[]> {
  const hopeless: Received<Content>[] = [];
  for (const [index, received] of group.entries()) {
    const { delivery } = received;
    const verdict = await options.attempt(delivery, limit);
    if (verdict === 'hopeless') hopeless.push(received);
    if (verdict !== 'retry') continue;
    await postponeAll(hopeless, 0, options);
    const rest = group.slice(index);
    // A message that becomes a dead letter gets no pause, which would delay the messages behind it.
    const isLast = delivery.receiveCount >= options.maxReceives;
    await postponeAll(rest, isLast ? 0 : retryDelaySeconds(delivery.receiveCount), options);
    return [...hopeless, ...rest];
  }
  await postponeAll(hopeless, 0, options);
  return hopeless;
}

/** Without it the messages only come back after the queue's own visibility timeout: worth trying, never worth failing. */
async function postponeAll<Content>(
  received: Received<Content>[],
  seconds: number,
  { postpone }: BatchOptions<Content>,
): Promise<void> {
  await Promise.allSettled(received.map(({ record }) => postpone(record.receiptHandle, seconds)));
}
