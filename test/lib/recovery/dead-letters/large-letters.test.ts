import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { dropLetters } from '../../../../lib/recovery/dead-letters/drop.ts';
import type { LetterQueue } from '../../../../lib/recovery/dead-letters/letter-queue.ts';
import { listLetters } from '../../../../lib/recovery/dead-letters/list.ts';
import { redrive } from '../../../../lib/recovery/dead-letters/redrive.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { FakeLetterQueue, lettersOf } from './fake-letter-queue.ts';

const main = fileURLToPath(new URL('large-letters-main.ts', import.meta.url));
const kibibyte = 1024;
const letterBytes = 256 * kibibyte;
const letters = 800;

/** What a process with a heap of 96 MiB says of 200 MiB of letters. */
function listed(which: 'meant' | 'others') {
  const args = ['--max-old-space-size=96', '--disable-warning=ExperimentalWarning', main];
  return JSON.parse(
    execFileSync(process.execPath, [...args, String(letterBytes), String(letters), which], { encoding: 'utf8' }),
  );
}

test('large letters that are not meant are let go of, so that no heap is too small for them', () => {
  expect(listed('others')).toEqual({ given: letters, letters: 0, others: letters });
});

test('of large letters that are meant as many are listed as there is room for, and the rest is counted', () => {
  const { given, large, ...rest } = listed('meant');
  expect(rest).toEqual({ letters: given, others: 0 });
  expect([given, large]).toEqual([130, letters - 130]);
});

const options = {
  runId: 'run',
  choose: async (all: readonly unknown[]) => all.map(() => 'move' as const),
  rateLimiter: { take: async (most: number) => most },
  clock: realClock,
  isDryRun: false,
  signal: new AbortController().signal,
};

function queueOf(...groups: string[]): FakeLetterQueue {
  const queue = new FakeLetterQueue();
  queue.put(...groups.flatMap((group) => lettersOf(group, 2)));
  return queue;
}

/** Whether there is a body in it, however deep. */
const hasBody = (value: unknown) => JSON.stringify(value).includes('"body"');

test('what is kept of letters after their turn has no bodies, whatever has become of them', async () => {
  const full = queueOf('a', 'b');
  const refusing: LetterQueue = {
    function: 'match-transfer',
    receive: (seconds) => full.receive(seconds),
    hide: async () => [],
    send: async (messages) => messages.map(() => ({ problem: 'MessageTooLong' })),
    remove: async () => [],
    counts: async () => undefined,
  };
  const refused = await redrive(refusing, options);
  expect([refused.refused.length, hasBody(refused)]).toEqual([2, false]);
  const sticky = queueOf('a', 'b');
  sticky.remove = async (all) => [...all];
  const twice = await redrive(sticky, options);
  expect([twice.twice.length, hasBody(twice)]).toEqual([2, false]);
  const queue = queueOf('a', 'b');
  const held: unknown[] = [];
  const hide = queue.hide.bind(queue);
  queue.hide = (all, seconds) => {
    held.push(...all);
    return hide(all, seconds);
  };
  const { letters: listedLetters } = await listLetters(queue);
  const dropped = await dropLetters(queue, listedLetters);
  expect([held.length, dropped.removed.length, hasBody([held, dropped])]).toEqual([4, 4, false]);
});
