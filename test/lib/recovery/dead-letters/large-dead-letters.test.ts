import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { DeadLetterQueue } from '../../../../lib/recovery/dead-letters/dead-letter-queue.ts';
import { dropDeadLetters } from '../../../../lib/recovery/dead-letters/drop.ts';
import { listDeadLetters } from '../../../../lib/recovery/dead-letters/list.ts';
import { redrive } from '../../../../lib/recovery/dead-letters/redrive.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { deadLettersOf, FakeDeadLetterQueue } from './fake-dead-letter-queue.ts';

const main = fileURLToPath(new URL('large-dead-letters-main.ts', import.meta.url));
const kibibyte = 1024;
const deadLetterBytes = 256 * kibibyte;
const deadLetters = 800;

/** What a process with a heap of 96 MiB says of 200 MiB of letters. */
function listed(which: 'meant' | 'others') {
  const args = ['--max-old-space-size=96', '--disable-warning=ExperimentalWarning', main];
  return JSON.parse(
    execFileSync(process.execPath, [...args, String(deadLetterBytes), String(deadLetters), which], {
      encoding: 'utf8',
    }),
  );
}

test('large letters that are not meant are let go of, so that no heap is too small for them', () => {
  expect(listed('others')).toEqual({ given: deadLetters, deadLetters: 0, others: deadLetters });
});

test('of large letters that are meant as many are listed as there is room for, and the rest is counted', () => {
  const { given, large, ...rest } = listed('meant');
  expect(rest).toEqual({ deadLetters: given, others: 0 });
  expect([given, large]).toEqual([130, deadLetters - 130]);
});

const options = {
  runId: 'run',
  choose: async (all: readonly unknown[]) => all.map(() => 'move' as const),
  rateLimiter: { take: async (most: number) => most },
  clock: realClock,
  isDryRun: false,
  signal: new AbortController().signal,
};

function queueOf(...groups: string[]): FakeDeadLetterQueue {
  const queue = new FakeDeadLetterQueue();
  queue.put(...groups.flatMap((group) => deadLettersOf(group, 2)));
  return queue;
}

/** Whether there is a body in it, however deep. */
const hasBody = (value: unknown) => JSON.stringify(value).includes('"body"');

test('what is kept of letters after their turn has no bodies, whatever has become of them', async () => {
  const full = queueOf('a', 'b');
  const refusing: DeadLetterQueue = {
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
  const { deadLetters: listedDeadLetters } = await listDeadLetters(queue);
  const dropped = await dropDeadLetters(queue, listedDeadLetters);
  expect([held.length, dropped.removed.length, hasBody([held, dropped])]).toEqual([4, 4, false]);
});
