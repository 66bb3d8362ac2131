import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Origin } from '../queue/envelope.ts';
import { type BatchOptions, handleBatch } from '../queue/received-batch.ts';
import { type Log, withFields } from '../runtime/log.ts';
import { BatchStats } from './batch-stats.ts';
import { attempt, type Work } from './delivery.ts';
import { DeliveryLog } from './delivery-log.ts';
import type { Outcomes } from './failing-keys.ts';

/** The facts about a Lambda invocation that are logged. */
export interface Invocation {
  awsRequestId?: string;
  getRemainingTimeInMillis?: () => number;
}

export interface Deliveries<Content extends { origin: Origin }>
  extends Pick<BatchOptions<Content>, 'read' | 'groupOf' | 'postpone' | 'maxReceives'> {
  /** The function's name. */
  name: string;
  work: Work<Content>;
  outcomes?: Outcomes | undefined;
  log: Log;
  now: () => Date;
}

/** Handles a batch, and reports the outcome of each message in the log and in metrics. */
export async function handleDeliveries<Content extends { origin: Origin }>(
  event: SQSEvent,
  { name, work, outcomes, log, now, maxReceives, ...options }: Deliveries<Content>,
  invocation?: Invocation,
): Promise<SQSBatchResponse> {
  const stats = new BatchStats(name);
  const ofInvocation = withFields(log, { requestId: invocation?.awsRequestId });
  const answer = await handleBatch(event, {
    ...options,
    maxReceives,
    remainingMs: invocation?.getRemainingTimeInMillis?.(),
    attempt: (delivery, limit) => {
      const isLast = delivery.receiveCount >= maxReceives;
      const told = { name, outcomes };
      return attempt(delivery, { work, isLast }, new DeliveryLog(delivery, ofInvocation, stats, now, told), limit);
    },
  });
  log.measure(...stats.measurements());
  return answer;
}
