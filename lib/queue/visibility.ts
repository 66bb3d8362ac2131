import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';

/** The caller has hardly any time left to respond. */
const maxMs = 2_000;

/** Sets the time for which a message of a queue is invisible from now on. */
export function visibilityBy(client = new SQSClient()) {
  return async (QueueUrl: string, ReceiptHandle: string, VisibilityTimeout: number): Promise<void> => {
    const change = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout });
    await client.send(change, { abortSignal: AbortSignal.timeout(maxMs) });
  };
}
