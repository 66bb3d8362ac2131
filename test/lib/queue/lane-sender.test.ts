import { expect, test } from '@jest/globals';
import { LaneSender, refusalsAt } from '../../../lib/queue/lane-sender.ts';
import { type OrderedEntry, OrderedLane } from '../../../lib/queue/ordered-lane.ts';
import { RateLimiter } from '../../../lib/queue/rate-limiter.ts';
import type { SendPolicy } from '../../../lib/queue/send-policy.ts';
import { Machine, Time } from '../../support/simulated-time.ts';

/** Sends so many entries for a minute under a clock of its own, and answers what was offered when. */
async function send(
  count: number,
  policy: (clock: Machine['clock']) => Partial<SendPolicy<OrderedEntry>>,
  answer: (names: string[], call: number) => number[] | Error = () => [],
) {
  const time = new Time();
  const { clock } = new Machine(time, { wallOffsetMs: 0, upMs: 0 });
  const lane = new OrderedLane<OrderedEntry>();
  const calls: { atMs: number; names: string[] }[] = [];
  const taken: string[] = [];
  const sender = new LaneSender(lane, {
    offer: async (messages) => {
      const names = messages.map(({ body }) => body);
      calls.push({ atMs: clock.elapsedMs(), names });
      const refused = answer(names, calls.length);
      if (refused instanceof Error) throw refused;
      return refusalsAt(refused);
    },
    messageOf: ({ group }) => ({ function: 'f', body: group, groupId: group, deduplicationId: group }),
    pause: (milliseconds) => clock.pause(milliseconds),
    pauses: { firstMs: 100, maxMs: 10_000 },
    maxCalls: 4,
    isStopped: () => false,
    onTaken: ({ group }) => taken.push(group),
    onRefused: () => 'rest',
    onProgress: () => {},
    ...policy(clock),
  });
  for (let each = 0; each < count; each += 1) lane.add({ group: String(each), refusals: 0 });
  sender.send();
  await time.runUntil(60_000);
  return { sender, lane, calls, taken };
}

test('a call has ten messages at most', async () => {
  const { calls, taken } = await send(25, () => ({}));
  expect(calls.map(({ names }) => names.length)).toEqual([10, 10, 5]);
  expect(taken).toHaveLength(25);
});

test('at a pace no second has more messages, whether they are sent for the first time or again', async () => {
  const pace = (clock: Machine['clock']) => {
    const limiter = new RateLimiter(20, clock);
    return { pace: (most: number) => limiter.take(most, new AbortController().signal) };
  };
  const { calls, taken } = await send(100, pace, (_, call) => (call % 3 === 0 ? new Error('away') : []));
  const perSecond = Map.groupBy(calls, ({ atMs }) => Math.floor(atMs / 1_000));
  const offered = [...perSecond.values()].map((each) => each.flatMap(({ names }) => names).length);
  expect(Math.max(...offered)).toBeLessThanOrEqual(20);
  expect(offered.reduce((total, each) => total + each)).toBeGreaterThan(100);
  expect(new Set(taken).size).toBe(100);
});

test('one that is refused comes again after pauses of its own, and holds up no other', async () => {
  const { calls, taken } = await send(
    30,
    () => ({}),
    (names) => (names.includes('3') ? [names.indexOf('3')] : []),
  );
  expect(taken).toHaveLength(29);
  const times = calls.flatMap(({ atMs, names }) => (names.includes('3') ? [atMs] : []));
  expect(times.slice(0, 5)).toEqual([0, 100, 300, 700, 1_500]);
  expect(calls.find(({ names }) => names.includes('29'))?.atMs).toBe(0);
});

test('who does not try again for ever sends nothing more after that', async () => {
  const policy = () => ({ triesAgain: (_: unknown, failures: number) => failures < 3 });
  const { sender, lane, calls, taken } = await send(5, policy, () => new Error('away'));
  expect([sender.hasGivenUp, lane.readyCount, calls.length, taken]).toEqual([true, 5, 3, []]);
});

test('a call of which nothing was taken rests the queue only where that is said', async () => {
  const answer = (names: string[]) => [...names.keys()];
  const settled = { onRefused: () => 'settled' as const };
  const patient = await send(20, () => settled, answer);
  expect(patient.calls.map(({ atMs }) => atMs)).toEqual([0, 0]);
  const strict = await send(20, () => ({ ...settled, mustTakeAny: true, maxCalls: 1 }), answer);
  expect(strict.calls.map(({ atMs }) => atMs)).toEqual([0, 100]);
});
