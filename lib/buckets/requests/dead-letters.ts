import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

export interface DeadLetter {
  body: string;
  reason: string;
  /** Of the message that was refused. */
  messageId: string;
}

/** The same as in the rules of serverless.yml: what is moved back from here is in line with what comes in. */
const groupId = 'bucket-requests';
const longestReason = 1000;

/** Puts what is refused where operators look, by ourselves: the queue would deliver it in vain first, and not say why. */
export function deadLettersTo(queueUrl: string, client = new SQSClient()) {
  return async ({ body, reason, messageId }: DeadLetter): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: body,
        MessageGroupId: groupId,
        // The body will not do: what is moved back and refused once more within minutes must not pass for a duplicate.
        MessageDeduplicationId: messageId,
        MessageAttributes: { reason: { DataType: 'String', StringValue: legalText(reason) } },
      }),
    );
  };
}

/** SQS takes only the characters that XML has, and no empty text. */
function legalText(text: string): string {
  const clipped = text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
  return clipped.replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?') || 'unknown';
}
