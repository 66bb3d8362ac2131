import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { type Sender, sendTo } from '../../../lib/queue/send.ts';
import { type Script, type StandIn, startStandIn, takeAll } from './send-stand-in.ts';

const settings = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
const messages: OutgoingMessage[] = [{ function: 'match', body: '{}', groupId: 'group', deduplicationId: 'once' }];
const maxConnections = 64;
const calls = maxConnections + 16;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A queue that answers nobody until so many have asked, and says so then. */
async function heldUp(count: number, timeLimitMs = 60_000): Promise<Held> {
  const arrived = Promise.withResolvers<void>();
  const held: Parameters<Script>[] = [];
  let isHolding = true;
  const standIn = await startStandIn((...call) => {
    if (!isHolding) return takeAll(...call);
    held.push(call);
    if (held.length === count) arrived.resolve();
  });
  const sender = sendTo({ match: standIn.queueUrl }, new SQSClient(settings), { timeLimitMs });
  open.push(sender, standIn);
  const letGo = () => {
    isHolding = false;
    for (const call of held) takeAll(...call);
  };
  return { sender, standIn, arrived: arrived.promise, letGo };
}

interface Held {
  sender: Sender;
  standIn: StandIn;
  arrived: Promise<void>;
  letGo: () => void;
}

const manyCalls = (sender: Sender) => Array.from({ length: calls }, () => sender.send('match', messages));

test('more calls than there may be connections wait for one of them', async () => {
  const { sender, standIn, arrived, letGo } = await heldUp(maxConnections);
  const under = Promise.all(manyCalls(sender));
  await arrived;
  letGo();
  expect(await under).toEqual(Array.from({ length: calls }, () => []));
  expect(new Set(standIn.received.map(({ socket }) => socket)).size).toBe(maxConnections);
});

test('a call that waits for a connection in vain ends at the time limit too', async () => {
  const { sender } = await heldUp(maxConnections, 500);
  const ends = await Promise.allSettled(manyCalls(sender));
  expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(ends.map(() => 'TimeLimit'));
});

test('connections that are closed make room for those who wait', async () => {
  const { sender, standIn, arrived, letGo } = await heldUp(maxConnections);
  const under = Promise.allSettled(manyCalls(sender));
  await arrived;
  letGo();
  for (const { socket } of standIn.received.slice(0, maxConnections / 2)) socket.destroy();
  const ends = await under;
  // What had no answer yet has failed; what waited has gone out on new connections.
  expect(ends.slice(maxConnections).map(({ status }) => status)).toEqual(
    ends.slice(maxConnections).map(() => 'fulfilled'),
  );
});

test('closing ends the calls that wait for a connection as well', async () => {
  const { sender, arrived } = await heldUp(maxConnections);
  const under = Promise.allSettled(manyCalls(sender));
  await arrived;
  sender.close();
  const ends = await under;
  expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(ends.map(() => 'Closed'));
});
