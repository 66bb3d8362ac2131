import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { sendTo } from '../../../lib/queue/send.ts';
import { type StandIn, startStandIn, takeAll } from './send-stand-in.ts';

const region = 'eu-central-1';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const messages: OutgoingMessage[] = [{ function: 'match', body: '{}', groupId: 'group', deduplicationId: 'once' }];
/** Nothing answers there: whoever is sent to the endpoint does not need it. */
const elsewhere = 'http://elsewhere.invalid/111122223333/match.fifo';

const open: { close(): unknown }[] = [];
const variables = ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_SQS'];
const before = variables.map((name) => [name, process.env[name]] as const);
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

async function started(): Promise<StandIn> {
  const standIn = await startStandIn(takeAll);
  open.push(standIn);
  return standIn;
}

async function sendOnce(queueUrl: string, client: SQSClient): Promise<void> {
  const sender = sendTo({ match: queueUrl }, client);
  open.push(sender);
  expect(await sender.send('match', messages)).toEqual([]);
}

test('an endpoint that the client was given is called instead of the host of the queue', async () => {
  const standIn = await started();
  await sendOnce(elsewhere, new SQSClient({ region, credentials, endpoint: standIn.origin }));
  expect(standIn.received[0]?.headers.host).toBe(new URL(standIn.origin).host);
  expect(JSON.parse(standIn.received[0]?.body ?? '').QueueUrl).toBe(elsewhere);
});

test.each(variables)('an endpoint in %s is called instead of the host of the queue', async (variable) => {
  const standIn = await started();
  process.env[variable] = standIn.origin;
  await sendOnce(elsewhere, new SQSClient({ region, credentials }));
  expect(standIn.received).toHaveLength(1);
});

test('a queue address that is no URL is named together with where it comes from', async () => {
  const sender = sendTo({ match: 'match.fifo' }, new SQSClient({ region, credentials }));
  open.push(sender);
  await expect(sender.send('match', messages)).rejects.toThrow('match.fifo is not a URL: correct LONGSHORE_QUEUES');
});

test('renewed credentials are used as soon as the client has them, with their session token', async () => {
  const standIn = await started();
  let made = 0;
  const renewing = async () => {
    made += 1;
    // What is about to expire is asked for again each time.
    return {
      accessKeyId: `key${made}`,
      secretAccessKey: `s${made}`,
      sessionToken: `token${made}`,
      expiration: new Date(),
    };
  };
  const sender = sendTo({ match: standIn.queueUrl }, new SQSClient({ region, credentials: renewing }));
  open.push(sender);
  await sender.send('match', messages);
  await sender.send('match', messages);
  const [first, second] = standIn.received.map(({ headers }) => ({
    key: /Credential=(\w+)\//.exec(headers.authorization ?? '')?.[1]?.replace('key', ''),
    token: String(headers['x-amz-security-token']).replace('token', ''),
  }));
  expect(first?.token).toBe(first?.key);
  expect(second?.token).toBe(second?.key);
  expect(Number(second?.key)).toBeGreaterThan(Number(first?.key));
});
