import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { OutgoingMessage } from './message.ts';
import type { SendBatch } from './outbox.ts';

/** Sends to the SQS FIFO queues whose addresses are given by function. */
export function sendTo(queues: Record<string, string>, client = new SQSClient()): SendBatch {
  return async (functionName: string, messages: OutgoingMessage[]): Promise<number[]> => {
    const queueUrl = queues[functionName];
    if (!queueUrl) throw new Error(`LONGSHORE_QUEUES has no queue for ${functionName}`);
    const entries = messages.map((message, position) => ({
      Id: String(position),
      MessageBody: message.body,
      MessageGroupId: message.groupId,
      MessageDeduplicationId: message.deduplicationId,
    }));
    const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
    return (answer.Failed ?? []).map((entry) => Number(entry.Id));
  };
}
