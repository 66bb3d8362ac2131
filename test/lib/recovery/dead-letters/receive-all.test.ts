import { expect, test } from '@jest/globals';
import { dropDeadLetters } from '../../../../lib/recovery/dead-letters/drop.ts';
import { listDeadLetters } from '../../../../lib/recovery/dead-letters/list.ts';
import { receiveAll } from '../../../../lib/recovery/dead-letters/receive-all.ts';
import { redrive } from '../../../../lib/recovery/dead-letters/redrive.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { deadLetter, deadLettersOf, FakeDeadLetterQueue } from './fake-dead-letter-queue.ts';

function queueWith(...deadLetters: Parameters<FakeDeadLetterQueue['put']>): FakeDeadLetterQueue {
  const queue = new FakeDeadLetterQueue();
  queue.put(...deadLetters);
  return queue;
}

const ids = (deadLetters: readonly { messageId: string }[]) => deadLetters.map(({ messageId }) => messageId);

test('a list has all letters, and hides none when it is over', async () => {
  const all = Array.from({ length: 1_234 }, (_, index) => deadLetter(`letter-${index}`));
  const queue = queueWith(...all);
  const { deadLetters, ...missed } = await listDeadLetters(queue);
  expect([ids(deadLetters), missed]).toEqual([ids(all), { others: 0, behind: 0, above: 0, elsewhere: 0 }]);
  expect(queue.visible).toEqual(ids(all));
  expect((await listDeadLetters(queue)).deadLetters.length).toBe(1_234);
});

test('of a group with more letters than are handed out together the rest is counted', async () => {
  const queue = queueWith(...deadLettersOf('a', 14), deadLetter('b'));
  const { deadLetters, behind, above } = await listDeadLetters(queue);
  expect(ids(deadLetters)).toEqual([...ids(deadLettersOf('a', 10)), 'b']);
  expect([behind, above]).toEqual([4, 0]);
});

test('a list ends where it is to have no more of what is meant', async () => {
  const queue = queueWith(...Array.from({ length: 50 }, (_, index) => deadLetter(String(index))));
  const isMeant = ({ messageId }: { messageId: string }) => Number(messageId) % 2 === 1;
  const { deadLetters, behind, above } = await listDeadLetters(queue, { most: 7, isMeant });
  expect(ids(deadLetters)).toEqual(['1', '3', '5', '7', '9', '11', '13']);
  // What was received with the last ones is meant as well; of the rest nobody has looked which are.
  expect([behind, above, queue.visible.length]).toEqual([0, 3 + 30, 50]);
});

test('a list of none reads none, and says how many there are', async () => {
  const queue = queueWith(deadLetter('a'), deadLetter('b'));
  expect(await listDeadLetters(queue, { most: 0 })).toEqual({
    deadLetters: [],
    others: 0,
    behind: 0,
    above: 2,
    elsewhere: 0,
  });
});

test('what somebody else has is counted, and what we have ourselves is not', async () => {
  const queue = queueWith(...deadLettersOf('a', 3), deadLetter('b'));
  await queue.receive(120);
  queue.put(deadLetter('c'), deadLetter('d'));
  expect(await listDeadLetters(queue)).toMatchObject({ deadLetters: { length: 2 }, behind: 0, elsewhere: 4 });
});

test('letters are shown to others in such an order that no later one of a group can be had first', async () => {
  const queue = queueWith(...deadLettersOf('a', 3));
  await listDeadLetters(queue);
  expect(queue.hidden).toEqual([{ ids: ['a3', 'a2', 'a1'], seconds: 0 }]);
});

test('whoever takes long keeps what is in their hands from others', async () => {
  const queue = queueWith(...Array.from({ length: 30 }, (_, index) => deadLetter(String(index))));
  const seen: string[] = [];
  const slowly = async (deadLetters: readonly { messageId: string }[]) => {
    seen.push(...ids(deadLetters));
    queue.seconds += 100;
  };
  await receiveAll(queue, slowly, { elapsedMs: () => queue.seconds * 1000 });
  expect(seen).toEqual(ids(Array.from({ length: 30 }, (_, index) => deadLetter(String(index)))));
  expect(queue.hidden.filter(({ seconds }) => seconds > 0).length).toBeGreaterThan(2);
});

test('what comes again because its time was up is not taken for another letter, and the visit ends', async () => {
  const queue = queueWith(deadLetter('a'), deadLetter('b'));
  const seen: string[] = [];
  const tooSlowly = async (deadLetters: readonly { messageId: string }[]) => {
    seen.push(...ids(deadLetters));
  };
  const receive = queue.receive.bind(queue);
  queue.receive = async (seconds) => {
    queue.seconds += 1_000;
    return receive(seconds);
  };
  await receiveAll(queue, tooSlowly, { elapsedMs: () => 0 });
  expect(seen).toEqual(['a', 'b']);
});

test('a visit that leaves more than can be kept hidden ends, and says how many there are besides', async () => {
  const queue = queueWith(...Array.from({ length: 10_050 }, (_, index) => deadLetter(String(index))));
  const { deadLetters, behind } = await listDeadLetters(queue);
  expect([deadLetters.length, behind, queue.visible.length]).toEqual([10_000, 50, 10_050]);
});

test('a failure shows everything to others again', async () => {
  const queue = queueWith(...deadLettersOf('a', 12), deadLetter('b'));
  await expect(receiveAll(queue, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(queue.visible.length).toBe(13);
});

test('several letters of one group are sent one by one, each after the one before it has been deleted', async () => {
  const queue = queueWith(...deadLettersOf('a', 12), ...deadLettersOf('b', 2));
  const log: string[] = [];
  const [send, remove] = [queue.send.bind(queue), queue.remove.bind(queue)];
  queue.send = (messages) => {
    log.push(`send ${messages.map(({ groupId }) => groupId).join(' ')}`);
    return send(messages);
  };
  queue.remove = (deadLetters) => {
    log.push(`remove ${ids(deadLetters).join(' ')}`);
    return remove(deadLetters);
  };
  const tally = await redrive(queue, {
    runId: 'run',
    choose: async (deadLetters) => deadLetters.map(() => 'move'),
    rateLimiter: { take: async (most) => most },
    clock: realClock,
    isDryRun: false,
    signal: new AbortController().signal,
  });
  expect([tally.moved, queue.left]).toEqual([14, []]);
  expect(log.slice(0, 4)).toEqual(['send a', 'remove a1', 'send a', 'remove a2']);
  expect(
    log
      .filter((line) => line.startsWith('remove'))
      .join(' ')
      .match(/a\d+/g),
  ).toEqual(ids(deadLettersOf('a', 12)));
});

test('what is dropped is what was chosen, and not what has come since', async () => {
  const queue = queueWith(deadLetter('a'), deadLetter('b'), ...deadLettersOf('c', 2));
  const { deadLetters } = await listDeadLetters(queue);
  queue.put(deadLetter('later'));
  const chosen = deadLetters.filter(({ messageId }) => messageId !== 'b');
  const { removed, kept } = await dropDeadLetters(queue, [...chosen, deadLetter('gone meanwhile')]);
  expect(ids(removed)).toEqual(['a', 'c1', 'c2']);
  expect(ids(kept)).toEqual(['gone meanwhile']);
  expect(queue.visible).toEqual(['b', 'later']);
});

test('what cannot be deleted is said to be still there', async () => {
  const queue = queueWith(deadLetter('a'), deadLetter('b'));
  const { deadLetters } = await listDeadLetters(queue);
  queue.remove = async (all) => [...all];
  expect(ids((await dropDeadLetters(queue, deadLetters)).kept)).toEqual(['a', 'b']);
});
