import { expect, test } from '@jest/globals';
import { dropLetters } from '../../../../lib/recovery/dead-letters/drop.ts';
import { listLetters } from '../../../../lib/recovery/dead-letters/list.ts';
import { redrive } from '../../../../lib/recovery/dead-letters/redrive.ts';
import { visit } from '../../../../lib/recovery/dead-letters/visit.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { FakeLetterQueue, letter, lettersOf } from './fake-letter-queue.ts';

function queueWith(...letters: Parameters<FakeLetterQueue['put']>): FakeLetterQueue {
  const queue = new FakeLetterQueue();
  queue.put(...letters);
  return queue;
}

const ids = (letters: readonly { messageId: string }[]) => letters.map(({ messageId }) => messageId);

test('a list has all letters, and hides none when it is over', async () => {
  const all = Array.from({ length: 1_234 }, (_, index) => letter(`letter-${index}`));
  const queue = queueWith(...all);
  const { letters, ...missed } = await listLetters(queue);
  expect([ids(letters), missed]).toEqual([ids(all), { others: 0, behind: 0, above: 0, elsewhere: 0 }]);
  expect(queue.visible).toEqual(ids(all));
  expect((await listLetters(queue)).letters.length).toBe(1_234);
});

test('of a group with more letters than are handed out together the rest is counted', async () => {
  const queue = queueWith(...lettersOf('a', 14), letter('b'));
  const { letters, behind, above } = await listLetters(queue);
  expect(ids(letters)).toEqual([...ids(lettersOf('a', 10)), 'b']);
  expect([behind, above]).toEqual([4, 0]);
});

test('a list ends where it is to have no more of what is meant', async () => {
  const queue = queueWith(...Array.from({ length: 50 }, (_, index) => letter(String(index))));
  const isMeant = ({ messageId }: { messageId: string }) => Number(messageId) % 2 === 1;
  const { letters, behind, above } = await listLetters(queue, { most: 7, isMeant });
  expect(ids(letters)).toEqual(['1', '3', '5', '7', '9', '11', '13']);
  // What was received with the last ones is meant as well; of the rest nobody has looked which are.
  expect([behind, above, queue.visible.length]).toEqual([0, 3 + 30, 50]);
});

test('a list of none reads none, and says how many there are', async () => {
  const queue = queueWith(letter('a'), letter('b'));
  expect(await listLetters(queue, { most: 0 })).toEqual({ letters: [], others: 0, behind: 0, above: 2, elsewhere: 0 });
});

test('what somebody else has is counted, and what we have ourselves is not', async () => {
  const queue = queueWith(...lettersOf('a', 3), letter('b'));
  await queue.receive(120);
  queue.put(letter('c'), letter('d'));
  expect(await listLetters(queue)).toMatchObject({ letters: { length: 2 }, behind: 0, elsewhere: 4 });
});

test('letters are shown to others in such an order that no later one of a group can be had first', async () => {
  const queue = queueWith(...lettersOf('a', 3));
  await listLetters(queue);
  expect(queue.hidden).toEqual([{ ids: ['a3', 'a2', 'a1'], seconds: 0 }]);
});

test('whoever takes long keeps what is in their hands from others', async () => {
  const queue = queueWith(...Array.from({ length: 30 }, (_, index) => letter(String(index))));
  const seen: string[] = [];
  const slowly = async (letters: readonly { messageId: string }[]) => {
    seen.push(...ids(letters));
    queue.seconds += 100;
  };
  await visit(queue, slowly, { elapsedMs: () => queue.seconds * 1000 });
  expect(seen).toEqual(ids(Array.from({ length: 30 }, (_, index) => letter(String(index)))));
  expect(queue.hidden.filter(({ seconds }) => seconds > 0).length).toBeGreaterThan(2);
});

test('what comes again because its time was up is not taken for another letter, and the visit ends', async () => {
  const queue = queueWith(letter('a'), letter('b'));
  const seen: string[] = [];
  const tooSlowly = async (letters: readonly { messageId: string }[]) => {
    seen.push(...ids(letters));
  };
  const receive = queue.receive.bind(queue);
  queue.receive = async (seconds) => {
    queue.seconds += 1_000;
    return receive(seconds);
  };
  await visit(queue, tooSlowly, { elapsedMs: () => 0 });
  expect(seen).toEqual(['a', 'b']);
});

test('a visit that leaves more than can be kept hidden ends, and says how many there are besides', async () => {
  const queue = queueWith(...Array.from({ length: 10_050 }, (_, index) => letter(String(index))));
  const { letters, behind } = await listLetters(queue);
  expect([letters.length, behind, queue.visible.length]).toEqual([10_000, 50, 10_050]);
});

test('a failure shows everything to others again', async () => {
  const queue = queueWith(...lettersOf('a', 12), letter('b'));
  await expect(visit(queue, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(queue.visible.length).toBe(13);
});

test('several letters of one group are sent one by one, each after the one before it has been deleted', async () => {
  const queue = queueWith(...lettersOf('a', 12), ...lettersOf('b', 2));
  const log: string[] = [];
  const [send, remove] = [queue.send.bind(queue), queue.remove.bind(queue)];
  queue.send = (messages) => {
    log.push(`send ${messages.map(({ groupId }) => groupId).join(' ')}`);
    return send(messages);
  };
  queue.remove = (letters) => {
    log.push(`remove ${ids(letters).join(' ')}`);
    return remove(letters);
  };
  const tally = await redrive(queue, {
    runId: 'run',
    choose: async (letters) => letters.map(() => 'move'),
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
  ).toEqual(ids(lettersOf('a', 12)));
});

test('what is dropped is what was chosen, and not what has come since', async () => {
  const queue = queueWith(letter('a'), letter('b'), ...lettersOf('c', 2));
  const { letters } = await listLetters(queue);
  queue.put(letter('later'));
  const chosen = letters.filter(({ messageId }) => messageId !== 'b');
  const { removed, kept } = await dropLetters(queue, [...chosen, letter('gone meanwhile')]);
  expect(ids(removed)).toEqual(['a', 'c1', 'c2']);
  expect(ids(kept)).toEqual(['gone meanwhile']);
  expect(queue.visible).toEqual(['b', 'later']);
});

test('what cannot be deleted is said to be still there', async () => {
  const queue = queueWith(letter('a'), letter('b'));
  const { letters } = await listLetters(queue);
  queue.remove = async (all) => [...all];
  expect(ids((await dropLetters(queue, letters)).kept)).toEqual(['a', 'b']);
});
