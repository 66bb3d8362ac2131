import { expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import { archiveOfMessages, messageOf, replayOf, timeOf, wishFor } from './case-replay.ts';

/** A queue as AWS has it: of two messages of a group with one id the second one is answered as taken, and dropped. */
class DeduplicatingQueue {
  readonly delivered: OutgoingMessage[] = [];
  private readonly ids = new Set<string>();

  readonly offer = async (name: string, messages: OutgoingMessage[]) => {
    for (const message of messages) {
      const id = JSON.stringify([name, message.groupId, message.deduplicationId]);
      if (!this.ids.has(id)) this.delivered.push(message);
      this.ids.add(id);
    }
    return [];
  };

  /** Whether it has delivered this message of the archive, as whichever run sent it. */
  hasDelivered({ body }: OutgoingMessage): boolean {
    const { time } = JSON.parse(body);
    return this.delivered.some((message) => message.body.includes(`"time":"${time}"`));
  }
}

const genuine = messageOf({ name: 'victim' }, 1);
/** When the forged ones say that they were made. */
const forgedTime = timeOf(0).toISOString();
const bodyWith = (fields: object) => JSON.stringify({ ...JSON.parse(genuine.body), time: forgedTime, ...fields });

test.each<[string, string]>([
  ['is no JSON', 'garbage'],
  ['is about another key', bodyWith({ name: 'other' })],
  ['is of a later release', bodyWith({ messageversion: 99 })],
  ['has another kind', bodyWith({ kind: 'PersistentVolume' })],
])('what %s, with the ids of a genuine message, does not have that one dropped by the queue', async (_, body) => {
  for (const oncePerKey of [false, true]) {
    const queue = new DeduplicatingQueue();
    const store = archiveOfMessages([{ ...genuine, body }, genuine]);
    const replay = replayOf(store, { wish: wishFor({}, { oncePerKey }), offer: queue.offer });
    expect(await replay.run()).toBe(true);
    expect([queue.hasDelivered(genuine), queue.delivered.length, replay.replayed]).toEqual([true, 2, 2]);
  }
});

test.each<[string, Partial<OutgoingMessage>, string]>([
  ['half a character in its body', { body: 'a\ud800b' }, 'InvalidMessageContents'],
  ['the other half of one', { body: 'a\udc00b' }, 'InvalidMessageContents'],
  ['half a character in its group', { groupId: 'a\ud800b' }, 'InvalidParameterValue'],
  ['a blank in its group', { groupId: 'a b' }, 'InvalidParameterValue'],
  ['no group', { groupId: '' }, 'InvalidParameterValue'],
  ['half a character in its id', { deduplicationId: 'a\ud800b' }, 'InvalidParameterValue'],
])(
  'what has %s is counted as refused and offered to no queue, which might fail for all beside it',
  async (_, forged, code) => {
    const queue = new DeduplicatingQueue();
    const store = archiveOfMessages([{ ...genuine, ...forged }, genuine]);
    const replay = replayOf(store, { offer: queue.offer });
    expect(await replay.run()).toBe(true);
    expect(queue.delivered.map(({ body }) => JSON.parse(body).name)).toEqual(['victim']);
    expect(replay.summary.refused).toEqual([{ function: 'match-claim', code, messages: 1 }]);
  },
);

test('a message that the archive has twice is delivered once', async () => {
  const queue = new DeduplicatingQueue();
  await replayOf(archiveOfMessages([genuine, genuine]), { offer: queue.offer }).run();
  expect(queue.delivered).toHaveLength(1);
});

test('a message about another key, in the group of a key, is not the one message that either of them gets', async () => {
  const other = messageOf({ name: 'other' }, 2);
  const forged = { ...messageOf({ name: 'other' }, 0), groupId: genuine.groupId };
  const queue = new DeduplicatingQueue();
  const wish = wishFor({}, { oncePerKey: true });
  const replay = replayOf(archiveOfMessages([forged, genuine, other]), { wish, offer: queue.offer });
  expect(await replay.run()).toBe(true);
  expect([genuine, other].map((message) => queue.hasDelivered(message))).toEqual([true, true]);
  expect(replay.summary.repeated).toBe(0);
});

test('of messages by hand, in a group that is of no key, each key gets its own', async () => {
  const byHand = ['a', 'b', 'a'].map((name, number) => ({ ...messageOf({ name }, number), groupId: 'by-hand' }));
  const queue = new DeduplicatingQueue();
  const wish = wishFor({}, { oncePerKey: true });
  const replay = replayOf(archiveOfMessages(byHand), { wish, offer: queue.offer });
  await replay.run();
  expect(byHand.map((message) => queue.hasDelivered(message))).toEqual([true, true, false]);
  expect(replay.summary.repeated).toBe(1);
});

test.each([true, false])(
  'a message about one cluster, in the archive of another, is not sent by a replay of that one, and counted (dry: %s)',
  async (isDryRun) => {
    const queue = new DeduplicatingQueue();
    const store = archiveOfMessages([messageOf({ name: 'a', cluster: 'prod' }, 0), messageOf({ name: 'b' }, 1)]);
    const replay = replayOf(store, isDryRun ? {} : { offer: queue.offer });
    expect(await replay.run()).toBe(true);
    expect(queue.delivered.map(({ body }) => JSON.parse(body).source)).toEqual(isDryRun ? [] : ['main']);
    expect([replay.replayed, replay.summary.others]).toEqual([1, 1]);
  },
);
