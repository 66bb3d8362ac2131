import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';

/** The caller has hardly any time left to respond. */
const maxMs = 2_000;

/** Postpones messages of one queue by making them invisible. A FIFO queue knows no delay of a single message. */
export function postponeOn(queueUrl: string | undefined, client = new SQSClient()) {
  return async (receiptHandle: string, seconds: number): Promise<void> => {
    if (!queueUrl) return;
    await client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
      { abortSignal: AbortSignal.timeout(maxMs) },
    );
  };
}
