import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDeletedRecently,
  QueueDoesNotExist,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../../runtime/clock.ts';
import type { StackQueues } from './stack-queues.ts';
import type { WantedQueue } from './template.ts';

/** What is in a queue: what waits, and what somebody has received and not yet deleted. */
export interface Filling {
  waiting: number;
  received: number;
}

/** Undefined where there is no such queue. */
export async function fillingOf({ name }: Pick<WantedQueue, 'name'>, client: SQSClient): Promise<Filling | undefined> {
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

/** AWS keeps a name for a minute after its queue was deleted. */
const reservedMs = 75_000;
const pauseMs = 5_000;

export interface Recreating {
  client: SQSClient;
  clock: Clock;
  /** It has to wait, because the queue was deleted a moment ago. */
  onWait: () => void;
}

/** Makes a queue that is gone as it was deployed. */
export async function recreate(
  { name, attributes }: WantedQueue,
  tags: StackQueues['tags'],
  { client, clock, onWait }: Recreating,
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
