import { hash } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

export interface RefusedRequest {
  body: string;
  reason: string;
  /** The id of the refused message. */
  messageId: string;
  /** The message group: requests for one Bucket must stay in order. */
  group: string;
}

const maxReasonLength = 1000;

/** Sends refused requests to the dead-letter queue directly: SQS would redeliver them in vain first, and give no reason. */
export function deadLettersTo(queueUrl: string, client = new SQSClient()) {
  return async ({ body, reason, messageId, group }: RefusedRequest): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: body,
        // A FIFO queue only shows the first messages of a group: in one group for all, most would be hidden.
        MessageGroupId: hash('sha256', group),
        // Not from the body: a message that is redriven and refused again within minutes must not count as a duplicate.
        MessageDeduplicationId: messageId,
        MessageAttributes: { reason: { DataType: 'String', StringValue: legalText(reason) } },
      }),
    );
  };
}

/** SQS only accepts the characters of XML, and no empty string. */
function legalText(text: string): string {
  const clipped = text.length > maxReasonLength ? `${text.slice(0, maxReasonLength)}…` : text;
  return clipped.replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?') || 'unknown';
}
