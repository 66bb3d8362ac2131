import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { deadLettersTo } from '../../../../../../lib/capabilities/buckets/requests/refused-requests.ts';

/** Against an SQS that runs in this process. */
const server = buildApp({ logger: false });
let client: SQSClient;
let queueUrl: string;

beforeAll(async () => {
  const endpoint = await server.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new SQSClient({ endpoint, region: 'eu-central-1', credentials });
  const Attributes = {
    FifoQueue: 'true',
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  };
  queueUrl = (await client.send(new CreateQueueCommand({ QueueName: 'dead.fifo', Attributes }))).QueueUrl ?? '';
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

/** What is in one group comes one after the other. */
async function received(): Promise<(string | undefined)[][]> {
  const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MessageAttributeNames: ['All'] });
  const [message] = (await client.send(command)).Messages ?? [];
  if (!message) return [];
  const { Body, MessageAttributes, ReceiptHandle } = message;
  await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  return [[Body, MessageAttributes?.reason?.StringValue], ...(await received())];
}

test('what is refused is there as it came, with the reason as far as SQS can hold it', async () => {
  const bury = deadLettersTo(queueUrl, client);
  const letter = { body: 'no JSON', group: 'reports' };
  await bury({ ...letter, reason: 'it is not \u0000JSON \ud800', messageId: '1' });
  await bury({ ...letter, reason: 'once more', messageId: '1' });
  await bury({ ...letter, reason: 'x'.repeat(2000), messageId: '2' });
  expect(await received()).toEqual([
    ['no JSON', 'it is not ?JSON ?'],
    ['no JSON', `${'x'.repeat(1000)}…`],
  ]);
});

test('refused requests for different Buckets are seen together, whatever their names are', async () => {
  const bury = deadLettersTo(queueUrl, client);
  const lanes = ['main team/reports', `main team/${'x'.repeat(253)}`, 'ünïcode'];
  for (const group of lanes) await bury({ body: group, group, reason: 'no', messageId: group });
  const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
  const { Messages = [] } = await client.send(command);
  expect(Messages.map(({ Body }) => Body).sort()).toEqual([...lanes].sort());
});
