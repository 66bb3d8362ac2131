import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { type Sender, type SendOptions, sendTo } from '../../../lib/queue/send.ts';
import { SendError } from '../../../lib/queue/sqs/send-error.ts';
import { answerWith, type Script, type StandIn, startStandIn, takeAll } from './send-stand-in.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const secret = 'what a message says';
const messages: OutgoingMessage[] = ['a', 'b', 'c'].map((name) => ({
  function: 'match',
  body: JSON.stringify({ name, secret }),
  groupId: `group-${name}`,
  deduplicationId: `once-${name}`,
}));

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function senderTo(script: Script, options?: SendOptions): Promise<{ sender: Sender; standIn: StandIn }> {
  const standIn = await startStandIn(script);
  const client = new SQSClient({ region: 'eu-central-1', credentials });
  const sender = sendTo({ match: standIn.queueUrl }, client, options);
  open.push(sender, standIn);
  return { sender, standIn };
}

async function failureOf(sender: Sender): Promise<SendError> {
  const outcome = await sender.send('match', messages).catch((error: unknown) => error);
  if (!(outcome instanceof SendError)) throw new Error(`this is no SendError: ${JSON.stringify(outcome)}`);
  // Logs show what an error says, and never what a message does.
  expect(outcome.message).not.toContain(secret);
  return outcome;
}

test('a batch goes out as one call to where its queue is, and every message that is mentioned is taken', async () => {
  const { sender, standIn } = await senderTo(takeAll);
  expect(await sender.send('match', messages)).toEqual([]);
  expect(standIn.received).toHaveLength(1);
  expect(standIn.received[0]?.path).toBe('/');
  expect(standIn.received[0]?.headers['x-amz-target']).toBe('AmazonSQS.SendMessageBatch');
  const { QueueUrl, Entries } = JSON.parse(standIn.received[0]?.body ?? '');
  expect(QueueUrl).toBe(standIn.queueUrl);
  const [first] = messages;
  const { body, groupId, deduplicationId } = first as OutgoingMessage;
  const expected = { Id: '0', MessageBody: body, MessageGroupId: groupId, MessageDeduplicationId: deduplicationId };
  expect(Entries[0]).toEqual(expected);
});

test('a batch of nothing is not sent', async () => {
  const { sender, standIn } = await senderTo(takeAll);
  expect(await sender.send('match', [])).toEqual([]);
  expect(standIn.received).toHaveLength(0);
});

test('what a queue refuses is answered and reported with its code and whose fault it is', async () => {
  const refusals: unknown[] = [];
  const Failed = [
    { Id: '0', Code: 'InternalError', SenderFault: false },
    { Id: '2', Code: 'InvalidMessageContents', SenderFault: true, Message: secret },
    { Id: '7', Code: 'InternalError', SenderFault: false },
  ];
  const script = answerWith(200, { Successful: [{ Id: '1' }], Failed });
  const { sender } = await senderTo(script, { onRefused: (...refusal) => refusals.push(refusal) });
  expect(await sender.send('match', messages)).toEqual([0, 2]);
  expect(refusals).toEqual([
    ['match', 0, 'InternalError', false],
    ['match', 2, 'InvalidMessageContents', true],
  ]);
});

test('what an answer leaves out counts as not taken', async () => {
  const { sender } = await senderTo(answerWith(200, { Successful: [{ Id: '0' }, { Id: '2' }] }));
  expect(await sender.send('match', messages)).toEqual([1]);
});

test('a message that an answer calls both taken and failed counts as not taken', async () => {
  const Successful = messages.map((_, position) => ({ Id: String(position) }));
  const { sender } = await senderTo(answerWith(200, { Successful, Failed: [{ Id: '1', Code: 'InternalError' }] }));
  expect(await sender.send('match', messages)).toEqual([1]);
});

test('a batch that is too large is refused, every message of it by the fault of the sender', async () => {
  const refusals: unknown[] = [];
  const script = answerWith(400, { __type: 'com.amazonaws.sqs#BatchRequestTooLong', message: 'too long' });
  const { sender } = await senderTo(script, { onRefused: (...refusal) => refusals.push(refusal) });
  expect(await sender.send('match', messages)).toEqual([0, 1, 2]);
  expect(refusals).toEqual([0, 1, 2].map((position) => ['match', position, 'BatchRequestTooLong', true]));
});

test.each([
  [400, 'com.amazonaws.sqs#RequestThrottled', 'RequestThrottled', true],
  [400, 'com.amazon.coral.availability#ThrottlingException', 'ThrottlingException', true],
  [400, 'com.amazonaws.sqs#KmsThrottled', 'KmsThrottled', true],
  [503, 'com.amazonaws.sqs#Anything', 'Anything', true],
  [429, undefined, 'Unknown', true],
  [500, 'com.amazonaws.sqs#InternalFailure', 'InternalFailure', false],
  [400, 'com.amazonaws.sqs#QueueDoesNotExist', 'QueueDoesNotExist', false],
])(
  'an answer of status %p with the type %p is an error of code %p, throttled: %p',
  async (status, __type, code, isThrottled) => {
    const { sender } = await senderTo(answerWith(status, { __type, message: 'as explained' }));
    const error = await failureOf(sender);
    expect({ status: error.status, code: error.code, isThrottled: error.isThrottled }).toEqual({
      status,
      code,
      isThrottled,
    });
    expect(error.message).toContain('as explained');
  },
);

test('only the first line of an explanation is told, because the session token may follow', async () => {
  const message = 'The signature does not match.\n\nThe Canonical String should have been x-amz-security-token:token';
  const { sender } = await senderTo(answerWith(403, { __type: 'SignatureDoesNotMatch', message }));
  const error = await failureOf(sender);
  expect(error.message).toContain('The signature does not match.');
  expect(error.message).not.toContain('token');
});

test.each([['<html>hello</html>'], [''], ['null'], ['[]'], ['{"Successful":"all"}'], ['{"Successful":[{"Id":"0"}']])(
  'an answer of status 200 that reads %p is an error',
  async (text) => {
    const { sender } = await senderTo(answerWith(200, text));
    expect(await failureOf(sender)).toMatchObject({ status: 200, code: 'Garbled', isThrottled: false });
  },
);

test('an error page that is no JSON is told by its status', async () => {
  const { sender } = await senderTo(answerWith(502, `<html>${secret}</html>`));
  expect(await failureOf(sender)).toMatchObject({ status: 502, code: 'Unknown', isThrottled: false });
});

test('a function without a queue is named', async () => {
  const sender = sendTo({}, new SQSClient({ region: 'eu-central-1', credentials }));
  open.push(sender);
  await expect(sender.send('match', messages)).rejects.toThrow('LONGSHORE_QUEUES has no queue for match');
});
