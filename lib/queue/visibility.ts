import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Whoever waits for it has hardly any time left to answer. */
const maxMs = 2_000;

/** Says for how long a message of a queue is invisible from now on. */
export function visibilityBy(client = new SQSClient()) {
  return async (QueueUrl: string, ReceiptHandle: string, VisibilityTimeout: number): Promise<void> => {
    const change = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout });
    await client.send(change, { abortSignal: AbortSignal.timeout(maxMs) });
  };
}
