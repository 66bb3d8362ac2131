import type { Message } from '@aws-sdk/client-sqs';

/** One dead letter, as SQS hands it out. */
export interface Letter {
  /** Whose message it was. */
  function: string;
  messageId: string;
  receiptHandle: string;
  body: string;
  groupId: string;
  deduplicationId: string;
  /**
   * Since when it is a dead letter: a FIFO queue of AWS counts anew when it moves a message there. It may have failed for the
   * first time an hour before. An SQS that is none of AWS may keep the time at which the message was sent.
   */
  sentAt: Date;
  /** When it was first delivered, as far as SQS has kept it; unknown where it was not SQS that moved it here. */
  firstDeliveredAt: Date | undefined;
  /** How often it was delivered. Whoever looks into a dead-letter queue counts as well. */
  deliveries: number;
  /** What request-bucket gives as its reason, where it put the letter here by itself. */
  reason: string | undefined;
}

/** What it takes to hide and to delete a letter. A body can have 1 MiB, so whatever is kept of many letters has none. */
export type Receipt = Pick<Letter, 'function' | 'messageId' | 'receiptHandle' | 'groupId'>;

export function receiptOf({ function: name, messageId, receiptHandle, groupId }: Receipt): Receipt {
  return { function: name, messageId, receiptHandle, groupId };
}

export const reasonAttribute = 'reason';

export function letterFrom(functionName: string, message: Message): Letter {
  const { Attributes = {}, MessageAttributes, MessageId = '', ReceiptHandle = '', Body = '' } = message;
  const { MessageGroupId = '', MessageDeduplicationId = '', ApproximateReceiveCount = '0' } = Attributes;
  // Of what somebody put here it is the time at which somebody first looked.
  const wasMoved = Attributes.DeadLetterQueueSourceArn !== undefined;
  return {
    function: functionName,
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    groupId: MessageGroupId,
    deduplicationId: MessageDeduplicationId,
    sentAt: dateOf(Attributes.SentTimestamp) ?? new Date(0),
    firstDeliveredAt: wasMoved ? dateOf(Attributes.ApproximateFirstReceiveTimestamp) : undefined,
    deliveries: Number(ApproximateReceiveCount),
    reason: MessageAttributes?.[reasonAttribute]?.StringValue,
  };
}

/** By which a message may have been known before it came here: a move within SQS makes its id the deduplication id. */
export function idsOf({ messageId, deduplicationId }: Letter): string[] {
  return [messageId, deduplicationId];
}

function dateOf(milliseconds: string | undefined): Date | undefined {
  const date = new Date(Number(milliseconds || Number.NaN));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
