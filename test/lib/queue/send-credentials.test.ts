import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from '@jest/globals';
import { type Sender, sendTo } from '../../../lib/queue/send.ts';

const messages = [{ function: 'match', body: '{}', groupId: 'group', deduplicationId: 'once' }];
const senders: Sender[] = [];
afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
});

function senderWith(credentials: () => Promise<{ accessKeyId: string; secretAccessKey: string }>): Sender {
  const client = new SQSClient({ region: 'eu-central-1', endpoint: 'http://127.0.0.1:1', credentials });
  const sender = sendTo({ match: 'http://127.0.0.1:1/0/match.fifo' }, client, { timeLimitMs: 200 });
  senders.push(sender);
  return sender;
}

test('keys that do not come are not waited for longer than a call may take', async () => {
  const sender = senderWith(() => new Promise(() => {}));
  await expect(sender.send('match', messages)).rejects.toMatchObject({ name: 'SendError', code: 'TimeLimit' });
});

test('keys that are refused are an error, and asked for again with the next call', async () => {
  let asked = 0;
  const sender = senderWith(async () => {
    asked += 1;
    throw new Error('the role is gone');
  });
  await expect(sender.send('match', messages)).rejects.toThrow('the role is gone');
  await expect(sender.send('match', messages)).rejects.toThrow('the role is gone');
  expect(asked).toBe(2);
});
