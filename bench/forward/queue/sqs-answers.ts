import { hash, randomUUID } from 'node:crypto';

/** A message that was put on a queue. */
export interface Sent {
  groupId: string;
  body: string;
}

export interface SqsAnswer {
  status: number;
  body: object;
  sent: Sent[];
}

interface Entry {
  Id?: string;
  MessageBody?: string;
  MessageGroupId?: string;
}

const maxEntries = 10;
/** The limit for a message and for a batch. */
const maxBytes = 1_048_576;

let sequence = 0;

/** Answers one call of the SQS JSON protocol as SQS does. A call is accepted or refused as a whole. */
export function answerCall(target: string | undefined, text: string): SqsAnswer {
  const call = JSON.parse(text) as Entry & { Entries?: Entry[] };
  switch (target) {
    case 'AmazonSQS.SendMessage':
      return answerEntries([call], ([receipt]) => receipt ?? {});
    case 'AmazonSQS.SendMessageBatch':
      return answerBatch(call.Entries ?? []);
    // The reader of these messages is never behind.
    case 'AmazonSQS.GetQueueAttributes':
      return { status: 200, body: { Attributes: { ApproximateNumberOfMessages: '0' } }, sent: [] };
    default:
      return refusal('UnsupportedOperation', `this queue only takes messages, and was asked for ${target}`);
  }
}

function answerBatch(entries: Entry[]): SqsAnswer {
  if (entries.length === 0) return refusal('EmptyBatchRequest', 'the batch has no entry');
  if (entries.length > maxEntries) return refusal('TooManyEntriesInBatchRequest', `more than ${maxEntries} entries`);
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return refusal('BatchEntryIdsNotDistinct', 'two entries have one Id');
  return answerEntries(entries, (receipts) => ({
    Successful: receipts.map((receipt, index) => ({ Id: entries[index]?.Id, ...receipt })),
    Failed: [],
  }));
}

function answerEntries(entries: Entry[], bodyOf: (receipts: object[]) => object): SqsAnswer {
  const bytes = entries.reduce((total, { MessageBody = '' }) => total + Buffer.byteLength(MessageBody), 0);
  if (bytes > maxBytes) return refusal('BatchRequestTooLong', `${bytes} bytes, and ${maxBytes} are taken`);
  const sent = entries.map(({ MessageBody = '', MessageGroupId = '' }) => ({
    groupId: MessageGroupId,
    body: MessageBody,
  }));
  if (sent.some(({ groupId, body }) => groupId === '' || body === ''))
    return refusal('MissingParameter', 'a message of a FIFO queue needs a MessageBody and a MessageGroupId');
  return { status: 200, body: bodyOf(sent.map(receiptOf)), sent };
}

/** The SDK compares the hash with that of the message that it sent, and fails if it differs. */
function receiptOf({ body }: Sent): object {
  sequence += 1;
  return {
    MessageId: randomUUID(),
    MD5OfMessageBody: hash('md5', body),
    SequenceNumber: String(sequence).padStart(20, '0'),
  };
}

function refusal(type: string, message: string): SqsAnswer {
  return { status: 400, body: { __type: `com.amazonaws.sqs#${type}`, message }, sent: [] };
}
