import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RateLimiter } from '../../../lib/queue/rate-limiter.ts';
import { Machine, Time } from '../../support/simulated-time.ts';

const never = new AbortController().signal;

/** When how many went, where so many ask again and again for so many each. */
async function gone(rate: number, asking: readonly number[], seconds: number) {
  const time = new Time();
  const { clock } = new Machine(time, { wallOffsetMs: 0, upMs: 0 });
  const rateLimiter = new RateLimiter(rate, clock);
  const over = new AbortController();
  const gone: { who: number; count: number; atMs: number }[] = [];
  const asks = asking.map(async (most, who) => {
    for (;;) {
      const count = await rateLimiter.take(most, over.signal);
      if (count === 0) return;
      gone.push({ who, count, atMs: clock.elapsedMs() });
    }
  });
  await time.runUntil(seconds * 1_000 - 1);
  over.abort();
  await Promise.all(asks);
  return gone;
}

test('in each second exactly as many go as may', async () => {
  const rates = fc.integer({ min: 1, max: 300 });
  const asking = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rates, asking, async (rate, mosts) => {
      const bySecond = Map.groupBy(await gone(rate, mosts, 3), ({ atMs }) => Math.floor(atMs / 1_000));
      const counts = [...bySecond.values()].map((each) => each.reduce((total, { count }) => total + count, 0));
      expect(counts).toEqual([rate, rate, rate]);
    }),
    { numRuns: 50 },
  );
});

test('a tenth of a second has a tenth of them', async () => {
  const counts = Map.groupBy(await gone(50, [10], 1), ({ atMs }) => atMs);
  expect([...counts].map(([atMs, each]) => [atMs, each.length, each[0]?.count])).toEqual(
    Array.from({ length: 10 }, (_, tick) => [tick * 100, 1, 5]),
  );
});

test('those who ask have their turns one after the other', async () => {
  const fairQueue = (await gone(20, [2, 2, 2], 3)).map(({ who }) => who);
  expect(fairQueue.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 2]);
});

test('what nobody asked for is not made up for', async () => {
  const time = new Time();
  const { clock } = new Machine(time, { wallOffsetMs: 0, upMs: 0 });
  const rateLimiter = new RateLimiter(50, clock);
  await rateLimiter.take(5, never);
  await time.runUntil(10_000);
  expect(await rateLimiter.take(100, never)).toBe(5);
});

test('who is told to stop gets nothing, and waits no longer', async () => {
  const { clock } = new Machine(new Time(), { wallOffsetMs: 0, upMs: 0 });
  const rateLimiter = new RateLimiter(10, clock);
  const stop = new AbortController();
  await rateLimiter.take(1, stop.signal);
  const waiting = [rateLimiter.take(1, stop.signal), rateLimiter.take(1, stop.signal)];
  stop.abort();
  expect(await Promise.all(waiting)).toEqual([0, 0]);
});
