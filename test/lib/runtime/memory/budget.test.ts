import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { budgetSizes, MemoryBudget, megabytesOf, type Share, TooLarge } from '../../../../lib/runtime/memory/budget.ts';
import { MemoryPool } from '../../../../lib/runtime/memory/pool.ts';
import { weightOf } from '../../../../lib/runtime/memory/weight.ts';

const megabytes = 512;
const { own, turn, shares } = budgetSizes(megabytes);

/** Whether it has come by now, when nothing else happens. */
async function hasCome(waiting: Promise<unknown>): Promise<boolean> {
  let come = false;
  waiting.then(
    () => {
      come = true;
    },
    () => {},
  );
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  return come;
}

test.each([128, 256, 512, 1_024, 10_240])('what all shares may hold fits into a function of %d MB', (size) => {
  const sizes = budgetSizes(size);
  expect(sizes.shares * sizes.own + sizes.turn).toBeLessThanOrEqual(Math.max(64, size - 192) * 1024 * 1024);
});

test('the budgets of the parts of a process fit into it together', () => {
  for (const parts of [1, 2, 5]) {
    const sizes = budgetSizes(megabytesOf(megabytes, parts), 88);
    expect(parts * (sizes.shares * sizes.own + sizes.turn)).toBeLessThanOrEqual((megabytes - 192) * 1024 * 1024);
    expect(sizes.turn).toBeCloseTo(turn / parts);
  }
});

describe('the budget of a process', () => {
  test('lets each message have its own part, however much others hold and wait', async () => {
    const budget = new MemoryBudget(megabytes);
    const [first, second, third] = [await budget.share(), await budget.share(), await budget.share()];
    await first.hold().resize(turn);
    const waiting = second.hold().resize(own + 1);
    expect(await hasCome(waiting)).toBe(false);
    await third.hold().resize(own);
    first.close();
    await waiting;
  });

  test('gives the turn to one after the other, in the order in which they asked', async () => {
    const budget = new MemoryBudget(megabytes);
    const all = [await budget.share(), await budget.share(), await budget.share()] as const;
    const order: number[] = [];
    const waiting = all.map(async (share, at) => {
      await share.hold().resize(own + 1);
      order.push(at);
    });
    expect(await hasCome(Promise.all(waiting))).toBe(false);
    for (const share of all) {
      share.close();
      await hasCome(Promise.resolve());
    }
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
  });

  test('ends a turn when what is held is little again', async () => {
    const budget = new MemoryBudget(megabytes);
    const [first, second] = [await budget.share(), await budget.share()];
    const held = first.hold();
    await held.resize(2 * own);
    const waiting = second.hold().resize(2 * own);
    expect(await hasCome(waiting)).toBe(false);
    await held.resize(own);
    await waiting;
  });

  test('refuses what does not fit into a turn, and that alone', async () => {
    const budget = new MemoryBudget(megabytes);
    const [first, second] = [await budget.share(), await budget.share()];
    await expect(first.hold().resize(turn + 1)).rejects.toThrow(TooLarge);
    await first.hold().resize(own);
    await expect(first.hold().resize(turn)).rejects.toThrow(TooLarge);
    await second.hold().resize(turn);
  });

  test('lets go of who gives up, and of what is closed', async () => {
    const budget = new MemoryBudget(megabytes);
    const [first, second, third] = [await budget.share(), await budget.share(), await budget.share()];
    await first.hold().resize(turn);
    const over = new AbortController();
    const givenUp = second.hold().resize(turn, over.signal);
    const waiting = third.hold().resize(turn);
    over.abort(new Error('over'));
    await expect(givenUp).rejects.toThrow('over');
    first.close();
    await waiting;
    await expect(first.hold().resize(1)).rejects.toThrow(TooLarge);
  });

  test('has as many shares as a batch has messages, and further ones wait', async () => {
    const budget = new MemoryBudget(megabytes);
    const open = await Promise.all(Array.from({ length: shares }, () => budget.share()));
    const waiting = budget.share();
    expect(await hasCome(waiting)).toBe(false);
    open[3]?.close();
    await waiting;
  });

  test('never holds more than it may, and whatever is asked for comes or is refused', async () => {
    const asked = fc.array(fc.tuple(fc.nat(15), fc.integer({ min: 1, max: Math.floor(turn * 1.2) })), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(asked, async (requests) => {
        const budget = new MemoryBudget(megabytes);
        let held = 0;
        const byMessage = Map.groupBy(requests, ([message]) => message);
        const work = [...byMessage.values()].map(async (ofMessage) => {
          const share = await budget.share();
          let mine = 0;
          const read = async (bytes: number) => {
            await share.hold().resize(bytes);
            held += bytes;
            mine += bytes;
            expect(held).toBeLessThanOrEqual(shares * own + turn);
          };
          await Promise.allSettled(ofMessage.map(([, bytes]) => read(bytes)));
          held -= mine;
          share.close();
        });
        await Promise.all(work);
        expect(held).toBe(0);
        const after: Share = await budget.share();
        await after.hold().resize(turn);
      }),
      { numRuns: 300 },
    );
  });
});

test('of several clusters the one that takes the most loses it, when there is no room for all', () => {
  const lost: string[] = [];
  const pool = new MemoryPool(100);
  const [small, large] = ['small', 'large'].map((name) => pool.share(() => lost.push(name)));
  small?.take(20);
  large?.take(60);
  small?.take(15);
  expect(lost).toEqual([]);
  small?.take(10);
  expect(lost).toEqual(['large']);
  expect(() => large?.take(1)).toThrow(TooLarge);
  small?.take(50);
  expect(lost).toEqual(['large']);
});

test('what was parsed weighs at least what its texts and values take', () => {
  expect(weightOf('x'.repeat(1_000))).toBeGreaterThanOrEqual(2_000);
  expect(weightOf({ a: [[], [], {}], b: null })).toBeGreaterThanOrEqual(6 * 48);
});
