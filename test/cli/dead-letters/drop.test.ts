import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { drop } from '../../../cli/dead-letters/drop.ts';
import { ConfirmationPrompt } from '../../../cli/terminal/confirmation-prompt.ts';
import type { DeadLetter } from '../../../lib/recovery/dead-letters/dead-letter.ts';
import {
  deadLetter,
  deadLettersOf,
  FakeDeadLetterQueue,
} from '../../lib/recovery/dead-letters/fake-dead-letter-queue.ts';

let told: string[];

beforeEach(() => {
  told = [];
  for (const way of ['log', 'error'] as const)
    jest.spyOn(console, way).mockImplementation((line) => void told.push(line));
});
afterEach(() => {
  jest.restoreAllMocks();
});

function queueWith(...deadLetters: DeadLetter[]): FakeDeadLetterQueue {
  const queue = new FakeDeadLetterQueue();
  queue.put(...deadLetters.map((each) => ({ ...each, body: each.messageId, sentAt: new Date(0) })));
  return queue;
}

/** Drops all as `--limit` says; without an input, as `--yes` does. */
async function dropOf(queue: FakeDeadLetterQueue, limit: number, input?: string): Promise<void> {
  const opened = {
    deployment: { name: 'longshore-test', queues: {}, archive: undefined },
    queues: [queue],
    close: () => {},
  };
  const meant = { selection: {}, functionName: undefined, contexts: new Map<string, string>() };
  const { signal } = new AbortController();
  const given = new PassThrough();
  given.end(input);
  const answers =
    input === undefined ? undefined : new ConfirmationPrompt(signal, given, { write: (text) => told.push(text) });
  const dropping = { states: undefined, answers };
  const looking = { limit: () => limit, withLogs: false, signal };
  await drop(opened, meant, looking, dropping).finally(() => answers?.close());
}

const inTelling = (text: string) => told.filter((line) => line.includes(text)).length;

test('no more of a queue are dropped than it is told to', async () => {
  const queue = queueWith(...Array.from({ length: 40 }, (_, index) => deadLetter(String(index))));
  await dropOf(queue, 10);
  expect(queue.left.length).toBe(30);
  expect(told).toContain('10 dead letters dropped from longshore-test');
  expect(inTelling('match-transfer: about 30 more above --limit')).toBe(1);
});

test('what shows when others of its group are gone counts as well', async () => {
  const queue = queueWith(...deadLettersOf('a', 25));
  await dropOf(queue, 15);
  expect(queue.left).toEqual(
    deadLettersOf('a', 25)
      .map(({ messageId }) => messageId)
      .slice(15),
  );
  expect(told).toContain('15 dead letters dropped from longshore-test');
});

test('whoever is asked is not asked for more than that', async () => {
  const queue = queueWith(...deadLettersOf('a', 25));
  await dropOf(queue, 15, 'drop 10\ndrop 5\ndrop 10\n');
  expect([queue.left.length, inTelling('Type "drop')]).toEqual([10, 2]);
});

test('what has come since the first look stays where nobody is asked, and all that goes was listed', async () => {
  const queue = queueWith(...deadLettersOf('a', 12));
  const remove = queue.remove.bind(queue);
  queue.remove = (deadLetters) => {
    queue.put(deadLetter(`later-${queue.left.length}`, { sentAt: new Date(), groupId: 'a' }));
    queue.put(deadLetter(`other-${queue.left.length}`, { sentAt: new Date() }));
    return remove(deadLetters);
  };
  await dropOf(queue, 1_000);
  expect(queue.left.filter((id) => id.startsWith('a'))).toEqual([]);
  expect(queue.left.length).toBe(4);
  expect(told.filter((line) => line.endsWith(' letters'))).toEqual(
    ['10', '2'].map((count) => `match-transfer  malformed message, ${count} dead letters`),
  );
});

test('what could not be dropped in an earlier round is not forgotten', async () => {
  const queue = queueWith(...deadLettersOf('a', 12), deadLetter('x'));
  const [receive, remove] = [queue.receive.bind(queue), queue.remove.bind(queue)];
  let isTaken = false;
  queue.receive = async (seconds) => (await receive(seconds)).filter(({ messageId }) => !isTaken || messageId !== 'x');
  queue.remove = async (deadLetters) => {
    const kept = deadLetters.filter(({ messageId }) => messageId === 'x');
    isTaken ||= kept.length > 0;
    return [...kept, ...(await remove(deadLetters.filter((each) => !kept.includes(each))))];
  };
  await expect(dropOf(queue, 1_000)).rejects.toThrow('1 dead letter is still there, perhaps in use by another command');
  expect(queue.left).toEqual(['x']);
  expect(told).toContain('12 dead letters dropped from longshore-test');
});
