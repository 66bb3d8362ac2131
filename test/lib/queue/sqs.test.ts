import {
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { postponeOn } from '../../../lib/queue/postpone.ts';
import { type Sender, sendTo } from '../../../lib/queue/send.ts';

/** Against an SQS that runs in this process. */
const server = buildApp({ logger: false });
let client: SQSClient;
const senders: Sender[] = [];

beforeAll(async () => {
  // Its own start-up function would listen on every interface.
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  client = new SQSClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});
afterAll(async () => {
  for (const sender of senders) sender.close();
  client.destroy();
  await server.close();
});

async function newQueue(name: string): Promise<string> {
  const attributes = {
    FifoQueue: 'true',
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  };
  const made = await client.send(new CreateQueueCommand({ QueueName: `${name}.fifo`, Attributes: attributes }));
  return made.QueueUrl ?? '';
}

function messageFor(name: string, resourceVersion: string, runId?: string): OutgoingMessage {
  return buildMessage({
    cluster: 'test',
    function: 'match-transfer',
    resource: resources.transferRequest,
    key: { namespace: 'stage', name },
    cause: { uid: `uid-${name}`, resourceVersion, type: 'update' },
    time: new Date(0),
    ...(runId ? { runId } : {}),
  });
}

/** Sends to one queue as the function that all messages here are for. */
function sendsTo(queueUrl: string): (messages: OutgoingMessage[]) => Promise<number[]> {
  const sender = sendTo({ 'match-transfer': queueUrl }, client);
  senders.push(sender);
  return (messages) => sender.send('match-transfer', messages);
}

async function receive(queueUrl: string): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    VisibilityTimeout: 30,
  });
  return (await client.send(command)).Messages ?? [];
}

/** A group gives its next message when the one before it has been deleted. */
async function receiveAll(queueUrl: string): Promise<Message[]> {
  const received = await receive(queueUrl);
  for (const { ReceiptHandle } of received) {
    await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  }
  return received.length === 0 ? [] : [...received, ...(await receiveAll(queueUrl))];
}

test('messages of one key stay in order, and a repeated one counts once unless a run id says otherwise', async () => {
  const queueUrl = await newQueue('order');
  const send = sendsTo(queueUrl);
  const first = messageFor('a', '1');
  expect(await send([first, messageFor('a', '2'), messageFor('b', '1')])).toEqual([]);
  expect(await send([first, messageFor('a', '1', 'resync')])).toEqual([]);
  const received = await receiveAll(queueUrl);
  const ofA = received.filter(({ Attributes }) => Attributes?.MessageGroupId === first.groupId);
  const ids = ofA.map(({ Attributes }) => Attributes?.MessageDeduplicationId);
  const expected = [first, messageFor('a', '2'), messageFor('a', '1', 'resync')];
  expect(ids).toEqual(expected.map(({ deduplicationId }) => deduplicationId));
  expect(received).toHaveLength(4);
});

test('a postponed message is not delivered before its time, and its group waits with it', async () => {
  const queueUrl = await newQueue('postpone');
  await sendsTo(queueUrl)([messageFor('a', '1'), messageFor('b', '1')]);
  const [one, other] = await receive(queueUrl);
  const postpone = postponeOn(queueUrl, client);
  await postpone(one?.ReceiptHandle ?? '', 900);
  await postpone(other?.ReceiptHandle ?? '', 0);
  const again = await receive(queueUrl);
  expect(again.map(({ MessageId }) => MessageId)).toEqual([other?.MessageId]);
  expect(again[0]?.Attributes?.ApproximateReceiveCount).toBe('2');
});

test('a queue that is not there is an error that says so', async () => {
  const queueUrl = (await newQueue('there')).replace('there', 'gone');
  await expect(sendsTo(queueUrl)([messageFor('a', '1')])).rejects.toMatchObject({
    name: 'SendError',
    code: expect.stringMatching(/QueueDoesNotExist|NonExistentQueue/),
    isThrottled: false,
  });
});
