import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import { about, archiveOf, archiveOfMessages, messageOf, numberOf, replayOf, wishFor } from './case-replay.ts';
import { UnrulyQueue } from './unruly-queue.ts';

const wish = wishFor({}, { oncePerKey: true });
const names = ['a', 'a', 'b', 'a'];

/** Four messages, of which the first is about what the second and the fourth are about, and has this body. */
function archiveWithFirst(body: (text: string) => string) {
  const messages = names.map((name, number) => messageOf({ name }, number));
  return archiveOfMessages(
    messages.map((message, number) => (number > 0 ? message : { ...message, body: body(message.body) })),
  );
}

test.each<[string, (body: string) => string]>([
  ['is no JSON', () => 'no JSON'],
  ['is no message', () => '{}'],
  ['has no name', (body) => JSON.stringify({ ...JSON.parse(body), name: undefined })],
  ['is of a later release', (body) => JSON.stringify({ ...JSON.parse(body), messageversion: 99 })],
])('what %s is not the one message that its key gets, as nobody works on it', async (_, body) => {
  const bodies: string[] = [];
  const offer = async (_name: string, messages: OutgoingMessage[]) => {
    bodies.push(...messages.map((message) => message.body));
    return [];
  };
  const replay = replayOf(archiveWithFirst(body), { wish, offer });
  expect(await replay.run()).toBe(true);
  const times = bodies.flatMap((text) => /"time":"([^"]+)".*"runid"/.exec(text)?.[1] ?? []);
  expect(times).toContain(JSON.parse(messageOf({ name: 'a' }, 1).body).time);
  expect([bodies.length, replay.summary.repeated]).toEqual([3, 1]);
  const dry = replayOf(archiveWithFirst(body), { wish });
  await dry.run();
  expect(dry.summary).toEqual(replay.summary);
});

test('what its queue never takes is not the one message that its key gets: the next one goes', async () => {
  const queue = new UnrulyQueue();
  const replay = replayOf(archiveOf(about(...names)), {
    wish,
    offer: async (name, messages) => {
      if (!messages.some((message) => numberOf(message) === 0)) return queue.offer(name, messages);
      return messages.map((_, position) => ({ position, code: 'InvalidMessageContents', senderFault: true }));
    },
  });
  expect(await replay.run()).toBe(true);
  expect(queue.taken.map(numberOf).sort()).toEqual([1, 2]);
  expect(replay.summary).toMatchObject({ repeated: 1, refused: [{ code: 'InvalidMessageContents', messages: 1 }] });
});

test('of one key that fills the archive one message goes, and those that were read meanwhile are counted', async () => {
  const queue = new UnrulyQueue();
  const replay = replayOf(archiveOf(about(...Array<string>(3_000).fill('hot')), 500), { wish, offer: queue.offer });
  expect(await replay.run()).toBe(true);
  expect([queue.taken.map(numberOf), replay.summary.repeated]).toEqual([[0], 2_999]);
});
