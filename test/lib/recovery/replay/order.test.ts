import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OutgoingMessage } from '../../../../lib/queue/message-parts.ts';
import type { Settled } from '../../../../lib/recovery/replay/ledger.ts';
import { emptySummary, replayedIn } from '../../../../lib/recovery/replay/summary.ts';
import { about, archiveOf, numberOf, replayOf } from './case-replay.ts';
import { type Fate, UnrulyQueue } from './unruly-queue.ts';

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 1, maxLength: 60 });
const fates = fc.array(
  fc.oneof(fc.constantFrom<Fate>('taken', 'lost before', 'lost after'), fc.integer({ min: 1, max: 4 })),
  { maxLength: 30 },
);

/** No message was taken for the first time before an earlier one of its group. */
function expectInOrder(taken: readonly OutgoingMessage[]): void {
  const last = new Map<string, number>();
  const seen = new Set<number>();
  for (const message of taken) {
    const number = numberOf(message);
    if (seen.has(number)) continue;
    seen.add(number);
    const group = `${message.function} ${message.groupId}`;
    expect(number).toBeGreaterThan(last.get(group) ?? -1);
    last.set(group, number);
  }
}

function numbersOf(taken: readonly OutgoingMessage[]): number[] {
  return [...new Set(taken.map(numberOf))].sort((one, other) => one - other);
}

test('every message is taken, none before an earlier one of its group, whatever is refused, lost or answered late', async () => {
  await fc.assert(
    fc.asyncProperty(names, fates, fc.integer({ min: 1, max: 9 }), async (all, given, inSegment) => {
      const queue = new UnrulyQueue(given);
      const replay = replayOf(archiveOf(about(...all), inSegment), { offer: queue.offer });
      expect(await replay.run()).toBe(true);
      expect(numbersOf(queue.taken)).toEqual([...all.keys()]);
      expectInOrder(queue.taken);
      expect(replay.replayed).toBe(all.length);
    }),
    { numRuns: 150 },
  );
});

test('however often a run is interrupted, with or without notice, it leaves nothing out and keeps its order', async () => {
  const stops = fc.array(fc.record({ calls: fc.nat({ max: 6 }), isKilled: fc.boolean() }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(names, fates, stops, async (all, given, interruptions) => {
      const store = archiveOf(about(...all), 5);
      const queue = new UnrulyQueue(given);
      let since: Settled = { position: undefined, summary: emptySummary };
      for (const { calls, isKilled } of [...interruptions, { calls: Number.POSITIVE_INFINITY, isKilled: false }]) {
        const stop = new AbortController();
        let left = calls;
        let kept = since;
        const replay = replayOf(store, {
          since,
          signal: stop.signal,
          offer: async (...call) => {
            // Who is killed has kept how far it came some time before.
            kept = replay.settled;
            left -= 1;
            if (left < 0) stop.abort();
            return queue.offer(...call);
          },
        });
        const isDone = await replay.run();
        expect(isDone).toBe(!stop.signal.aborted);
        since = isKilled && !isDone ? kept : replay.settled;
        if (isDone) expect(replay.summary).toEqual(since.summary);
      }
      expect(numbersOf(queue.taken)).toEqual([...all.keys()]);
      expectInOrder(queue.taken);
      // What was sent twice because it was on its way when the run ended is counted once all the same.
      expect(replayedIn(since.summary)).toBe(all.length);
    }),
    { numRuns: 150 },
  );
});

test('messages of different groups go by full calls, several at a time, and the last of them at once', async () => {
  const queue = new UnrulyQueue();
  const all = Array.from({ length: 1_234 }, (_, index) => `claim-${index}`);
  await replayOf(archiveOf(about(...all), 500), { offer: queue.offer }).run();
  // On a busy machine a call that waits for more goes before more has been read.
  expect(queue.calls.filter(({ length }) => length === 10).length).toBeGreaterThanOrEqual(30);
  expect(queue.calls.length).toBeLessThanOrEqual(400);
  expect(queue.maxAtOnce).toBeGreaterThan(5);
});

test('one group alone goes one message at a time', async () => {
  const queue = new UnrulyQueue();
  await replayOf(archiveOf(about(...Array<string>(30).fill('hot'))), { offer: queue.offer }).run();
  expect(queue.calls.map(({ length }) => length)).toEqual(Array(30).fill(1));
  expect(queue.taken.map(numberOf)).toEqual([...Array(30).keys()]);
});

test('each message has the id of the run, in its body and in what it is recognised by', async () => {
  const store = archiveOf(about('a', 'b'));
  const taken: OutgoingMessage[] = [];
  for (const runId of ['one', 'one', 'two']) {
    const queue = new UnrulyQueue();
    await replayOf(store, { offer: queue.offer, runId }).run();
    expect(queue.taken.map(({ body }) => JSON.parse(body).runid)).toEqual([runId, runId]);
    taken.push(...queue.taken);
  }
  const ids = taken.map(({ deduplicationId }) => deduplicationId);
  expect(ids.slice(0, 2)).toEqual(ids.slice(2, 4));
  expect(new Set(ids).size).toBe(4);
});
