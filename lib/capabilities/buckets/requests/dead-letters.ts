import { hash } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

export interface DeadLetter {
  body: string;
  reason: string;
  /** Of the message that was refused. */
  messageId: string;
  /** What must stay in order is in one lane: the requests for one Bucket. */
  lane: string;
}

const maxReasonLength = 1000;

/** Puts what is refused where operators look, by ourselves: the queue would deliver it in vain first, and not say why. */
export function deadLettersTo(queueUrl: string, client = new SQSClient()) {
  return async ({ body, reason, messageId, lane }: DeadLetter): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: body,
        // Whoever looks at a FIFO queue sees no more than the first letters of a group: in one for all, most would be hidden.
        MessageGroupId: hash('sha256', lane),
        // The body will not do: what is moved back and refused once more within minutes must not pass for a duplicate.
        MessageDeduplicationId: messageId,
        MessageAttributes: { reason: { DataType: 'String', StringValue: legalText(reason) } },
      }),
    );
  };
}

/** SQS takes only the characters that XML has, and no empty text. */
function legalText(text: string): string {
  const clipped = text.length > maxReasonLength ? `${text.slice(0, maxReasonLength)}…` : text;
  return clipped.replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?') || 'unknown';
}
