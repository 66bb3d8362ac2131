import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDeletedRecently,
  QueueDoesNotExist,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../../runtime/clock.ts';
import type { StackQueues } from './queues-of-stack.ts';
import type { WantedQueue } from './queues-of-template.ts';

/** The number of messages in a queue: waiting, and received but not yet deleted. */
export interface QueueCounts {
  waiting: number;
  received: number;
}

/** Undefined if there is no such queue. */
export async function queueCountsOf(
  { name }: Pick<WantedQueue, 'name'>,
  client: SQSClient,
): Promise<QueueCounts | undefined> {
  try {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
    const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] });
    const { Attributes = {} } = await client.send(command);
    const [waiting = 0, received = 0] = counts.map((count) => Number(Attributes[count] ?? 0));
    return { waiting, received };
  } catch (error) {
    if (error instanceof QueueDoesNotExist) return undefined;
    throw error;
  }
}

/** AWS reserves a name for a minute after its queue was deleted. */
const reservedMs = 75_000;
const pauseMs = 5_000;

export interface RecreateOptions {
  client: SQSClient;
  clock: Clock;
  /** Called when it has to wait because the queue was deleted a moment ago. */
  onWait: () => void;
}

/** Recreates a deleted queue as it was deployed. */
export async function recreate(
  { name, attributes }: WantedQueue,
  tags: StackQueues['tags'],
  { client, clock, onWait }: RecreateOptions,
): Promise<void> {
  const deadline = clock.now().getTime() + reservedMs;
  for (;;) {
    try {
      await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes, tags }));
      return;
    } catch (error) {
      if (!(error instanceof QueueDeletedRecently) || clock.now().getTime() > deadline) throw error;
      onWait();
      await clock.pause(pauseMs);
    }
  }
}
