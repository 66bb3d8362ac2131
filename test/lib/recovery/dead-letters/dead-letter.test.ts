import { expect, test } from '@jest/globals';
import { deadLetterFrom, idsOf } from '../../../../lib/recovery/dead-letters/dead-letter.ts';

const attributes = {
  MessageGroupId: 'group',
  MessageDeduplicationId: 'first-id',
  SentTimestamp: '1795057200000',
  ApproximateFirstReceiveTimestamp: '1795057201000',
  ApproximateReceiveCount: '9',
  DeadLetterQueueSourceArn: 'arn:aws:sqs:eu-central-1:111122223333:longshore-test-match-transfer.fifo',
};

test('a letter that SQS has moved says when it was sent and first delivered, and how it was called before', () => {
  const deadLetter = deadLetterFrom('match-transfer', {
    MessageId: 'id',
    ReceiptHandle: 'r',
    Body: 'b',
    Attributes: attributes,
  });
  expect(deadLetter).toEqual({
    function: 'match-transfer',
    messageId: 'id',
    receiptHandle: 'r',
    body: 'b',
    groupId: 'group',
    deduplicationId: 'first-id',
    sentAt: new Date(1795057200000),
    firstDeliveredAt: new Date(1795057201000),
    deliveries: 9,
    reason: undefined,
  });
  expect(idsOf(deadLetter)).toEqual(['id', 'first-id']);
});

test('of a letter that somebody put there nobody knows when it was first delivered', () => {
  const { DeadLetterQueueSourceArn: _, ...Attributes } = attributes;
  const MessageAttributes = { reason: { StringValue: 'not allowed', DataType: 'String' } };
  expect(deadLetterFrom('request-bucket', { Attributes, MessageAttributes })).toMatchObject({
    firstDeliveredAt: undefined,
    reason: 'not allowed',
  });
});
