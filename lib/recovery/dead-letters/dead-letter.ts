import type { Message } from '@aws-sdk/client-sqs';

/** A dead letter as received from SQS. */
export interface DeadLetter {
  /** The function whose message it was. */
  function: string;
  messageId: string;
  receiptHandle: string;
  body: string;
  groupId: string;
  deduplicationId: string;
  /**
   * When it became a dead letter: a FIFO queue of AWS resets this time when it moves a message. The first failure may be an
   * hour older. Another SQS implementation may keep the time at which the message was sent.
   */
  sentAt: Date;
  /** When it was first delivered, as far as SQS recorded it; unknown if it was not SQS that moved it here. */
  firstDeliveredAt: Date | undefined;
  /** How often it was delivered. Reading the dead-letter queue counts too. */
  deliveries: number;
  /** The reason that request-bucket gave when it put the message here itself. */
  reason: string | undefined;
}

/** Enough to hide and delete a dead letter. A body can have 1 MiB, so what is kept of many dead letters has none. */
export type Receipt = Pick<DeadLetter, 'function' | 'messageId' | 'receiptHandle' | 'groupId'>;

export function receiptOf({ function: name, messageId, receiptHandle, groupId }: Receipt): Receipt {
  return { function: name, messageId, receiptHandle, groupId };
}

export const reasonAttribute = 'reason';

export function deadLetterFrom(functionName: string, message: Message): DeadLetter {
  const { Attributes = {}, MessageAttributes, MessageId = '', ReceiptHandle = '', Body = '' } = message;
  const { MessageGroupId = '', MessageDeduplicationId = '', ApproximateReceiveCount = '0' } = Attributes;
  // For a message that someone put here it is the time of the first look at it.
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

/** The ids a message may have had before it came here: a move within SQS makes its id the deduplication id. */
export function idsOf({ messageId, deduplicationId }: DeadLetter): string[] {
  return [messageId, deduplicationId];
}

function dateOf(milliseconds: string | undefined): Date | undefined {
  const date = new Date(Number(milliseconds || Number.NaN));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
