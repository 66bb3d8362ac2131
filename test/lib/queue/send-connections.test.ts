import { once } from 'node:events';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { type Sender, sendTo } from '../../../lib/queue/send.ts';
import { answerWith, type Received, type Script, type StandIn, startStandIn, takeAll } from './send-stand-in.ts';

const settings = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
const messages: OutgoingMessage[] = [{ function: 'match', body: '{}', groupId: 'group', deduplicationId: 'once' }];
/** For calls whose end does not depend on it. */
const longMs = 60_000;
/** Enough for a call to arrive, little enough to wait for its end. */
const shortMs = 500;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function senderTo(script: Script, timeLimitMs = longMs): Promise<{ sender: Sender; standIn: StandIn }> {
  const standIn = await startStandIn(script);
  const sender = sendTo({ match: standIn.queueUrl }, new SQSClient(settings), { timeLimitMs });
  open.push(sender, standIn);
  return { sender, standIn };
}

test('the next call takes the same connection, after an error of AWS too', async () => {
  const scripts = [takeAll, answerWith(500, {}), takeAll];
  const { sender, standIn } = await senderTo((response, received, count) =>
    scripts[count]?.(response, received, count),
  );
  expect(await sender.send('match', messages)).toEqual([]);
  await expect(sender.send('match', messages)).rejects.toMatchObject({ status: 500 });
  expect(await sender.send('match', messages)).toEqual([]);
  expect(new Set(standIn.received.map(({ socket }) => socket)).size).toBe(1);
});

test('an answer that is cut off in the middle is an error', async () => {
  const { sender } = await senderTo((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"Successful":[{"Id":"0"}', () => response.destroy());
  });
  await expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'CutOff', isThrottled: false });
});

test('a call without an answer ends at the time limit, and its connection with it', async () => {
  const { sender, standIn } = await senderTo(() => {}, shortMs);
  await expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'TimeLimit', status: undefined });
  await untilClosed(standIn.received[0]);
});

test('a call whose time is over before it begins is not made', async () => {
  const { sender, standIn } = await senderTo(takeAll, 0);
  await expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'TimeLimit' });
  expect(standIn.received).toEqual([]);
});

test('a call whose answer stops in the middle ends at the time limit, and its connection with it', async () => {
  const { sender, standIn } = await senderTo((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"Successful":');
  }, shortMs);
  await expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'TimeLimit' });
  await untilClosed(standIn.received[0]);
});

test('a kept connection that turns out to be closed is replaced, and the call sent again', async () => {
  const { sender, standIn } = await senderTo((response, received, count) => {
    if (count === 1) received.socket.destroy();
    else takeAll(response, received, count);
  });
  await sender.send('match', messages);
  expect(await sender.send('match', messages)).toEqual([]);
  const [first, second, third] = standIn.received;
  expect(second?.socket).toBe(first?.socket);
  expect(third?.socket).not.toBe(first?.socket);
  expect(third?.body).toBe(second?.body);
});

test('a fresh connection that is closed without an answer is an error, and nothing is sent twice', async () => {
  const { sender, standIn } = await senderTo((_, received) => received.socket.destroy());
  await expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(standIn.received).toHaveLength(1);
});

test('nothing that listens is an error that names the address', async () => {
  const { sender, standIn } = await senderTo(takeAll);
  await standIn.close();
  open.splice(open.indexOf(standIn), 1);
  const failed = expect(sender.send('match', messages)).rejects;
  await failed.toMatchObject({ code: 'ECONNREFUSED', message: expect.stringContaining(standIn.origin) });
});

test('closing ends what is under way, and nothing can be sent afterwards', async () => {
  const arrived = Promise.withResolvers<void>();
  const { sender, standIn } = await senderTo((response, received, count) => {
    if (count === 0) takeAll(response, received, count);
    else arrived.resolve();
  });
  await sender.send('match', messages);
  const underWay = expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'Closed' });
  await arrived.promise;
  sender.close();
  await underWay;
  await expect(sender.send('match', messages)).rejects.toMatchObject({ code: 'Closed' });
  expect(standIn.received).toHaveLength(2);
  await untilClosed(standIn.received[1]);
});

async function untilClosed(received: Received | undefined): Promise<void> {
  if (!received) throw new Error('no call arrived');
  if (!received.socket.closed) await once(received.socket, 'close');
}
