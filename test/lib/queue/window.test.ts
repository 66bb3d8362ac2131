import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultOwnMessages as ownMessages } from '../../../lib/queue/token-buckets.ts';
import { defaultMinWindow as minWindow } from '../../../lib/queue/window.ts';
import { partsIn, WorkedOffQueue } from './case-worked-off.ts';

/** What is always sent, what may wait, and what is on its way when the queue is looked at. */
const maxAhead = ownMessages + 4 * minWindow;

describe('while one namespace has ten thousand keys to tell', () => {
  test('no more of them is on the queue than is worked off soon, and all are told', async () => {
    const queue = new WorkedOffQueue(() => 10);
    queue.comeUp('noisy', 10_000);
    let deepest = 0;
    await queue.time.runUntil(150_000, () => {
      deepest = Math.max(deepest, queue.depth);
    });
    expect(deepest).toBeLessThanOrEqual(maxAhead);
    expect([queue.of('noisy').length, queue.outbox.size, queue.outbox.heldCount]).toEqual([10_000, 0, 0]);
  });

  test('what comes up for another is on the queue at once, behind few of them', async () => {
    const queue = new WorkedOffQueue(() => 10);
    queue.comeUp('noisy', 10_000);
    const asked: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await queue.run(1_700);
      asked.push(queue.time.nowMs);
      queue.comeUp('quiet', 1, turn);
    }
    await queue.run(1_000);
    const told = queue.of('quiet');
    expect(told.map(({ name }) => name)).toEqual(asked.map((_, turn) => `k${turn}`));
    for (const [turn, { atMs, before }] of told.entries()) {
      expect(before.get('noisy') ?? 0).toBeLessThanOrEqual(maxAhead);
      expect(atMs - (asked[turn] ?? 0)).toBeLessThanOrEqual(50);
    }
  });

  test('the others count as what waits: not those, nor does their wait as a delay', async () => {
    const queue = new WorkedOffQueue(() => 1);
    queue.comeUp('noisy', 10_000);
    await queue.run(60_000);
    const { outbox } = queue;
    expect(outbox.heldCount).toBeGreaterThan(9_000);
    expect(outbox.size - outbox.heldCount).toBeLessThan(100);
    expect(outbox.sizeOf('match-claim')).toBeLessThan(100);
    expect(outbox.lagMs).toBeLessThan(1_000);
    expect(outbox.isBehind).toBe(false);
  });
});

test('who ends does not wait for what waits for its turn', async () => {
  const queue = new WorkedOffQueue(() => 1);
  queue.comeUp('noisy', 10_000);
  await queue.run(10_000);
  queue.comeUp('quiet', 3);
  let endedMs: number | undefined;
  void queue.outbox.drained().then(() => {
    endedMs = queue.time.nowMs;
  });
  await queue.run(200);
  expect(endedMs).toBeLessThanOrEqual(10_200);
  expect(queue.of('quiet').length).toBe(3);
  expect(queue.outbox.size).toBe(queue.outbox.heldCount);
});

test('several namespaces with very much to tell have equal shares', async () => {
  const queue = new WorkedOffQueue(() => 10);
  for (const owner of ['a', 'b', 'c']) queue.comeUp(owner, 2_000);
  await queue.run(30_000);
  const shares = ['a', 'b', 'c'].map((owner) => queue.of(owner).length);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2 * ownMessages);
  expect(Math.min(...shares)).toBeGreaterThan(800);
});

test('of whatever comes up when, and however it is worked off, nothing is lost and nobody waits behind many of another', async () => {
  const arrivals = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 3_000 }),
      owner: fc.constantFrom('a', 'b', 'c'),
      count: fc.integer({ min: 1, max: 300 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  const property = fc.asyncProperty(arrivals, fc.integer({ min: 3, max: 40 }), async (given, each100Ms) => {
    const queue = new WorkedOffQueue(() => each100Ms);
    const expected = new Map<string, number>();
    for (const { afterMs, owner, count } of given) {
      await queue.run(afterMs);
      const had = expected.get(owner) ?? 0;
      queue.comeUp(owner, count, had);
      expected.set(owner, had + count);
    }
    await queue.run(3_000_000);
    expect(queue.outbox.size).toBe(0);
    for (const [owner, count] of expected) expect(new Set(queue.of(owner).map(({ name }) => name)).size).toBe(count);
    const most = Math.max(...queue.taken.flatMap(({ before }) => [...before.values()]));
    expect(most).toBeLessThanOrEqual(maxAhead + 6 * each100Ms);
  });
  await fc.assert(property, { numRuns: 40 });
});

test('a function that is fast is given all that there is, within few looks', async () => {
  const queue = new WorkedOffQueue(() => 1_000_000, { callMs: 1, tickMs: 5 });
  queue.comeUp('one', 15_000);
  await queue.run(1_000);
  expect(queue.of('one').length).toBe(15_000);
  expect(queue.asked).toBeLessThan(40);
});

test('whoever changes little never has the queue looked at', async () => {
  const queue = new WorkedOffQueue(() => 10);
  for (let owner = 0; owner < 200; owner += 1) queue.comeUp(`namespace-${owner}`, ownMessages);
  await queue.run(10_000);
  expect([queue.taken.length, queue.asked]).toEqual([200 * ownMessages, 0]);
});

test('a queue that does not say how long it is gets all, and is asked no more than once a second', async () => {
  const queue = new WorkedOffQueue(() => 10);
  queue.saysDepth = false;
  queue.comeUp('noisy', 5_000);
  await queue.run(5_000);
  expect(queue.of('noisy').length).toBe(5_000);
  expect(queue.asked).toBeLessThanOrEqual(6);
});

test('what waits for keys that rest after a failure does not hold up others for long', async () => {
  const queue = new WorkedOffQueue(() => 10, { resting: 500 });
  queue.comeUp('noisy', 1_000);
  await queue.run(60_000);
  expect(queue.of('noisy').length).toBe(1_000);
});

test('a count that never falls stops nobody for good', async () => {
  const queue = new WorkedOffQueue(() => 0);
  queue.comeUp('noisy', 500);
  await queue.run(3_600_000);
  expect(queue.of('noisy').length).toBe(500);
});

test('keys without a namespace take turns by the namespace on whose behalf they are told', async () => {
  const queue = new WorkedOffQueue(() => 10);
  const { outbox } = queue;
  for (let index = 0; index < 100; index += 1) {
    outbox.add({ ...partsIn('', `v${index}`), key: { name: `v${index}` }, owner: 'noisy' });
  }
  await queue.run(100);
  outbox.add({ ...partsIn('', 'other'), key: { name: 'other' }, owner: 'quiet' });
  await queue.run(50);
  expect(queue.taken.at(-1)?.name).toBe('other');
});
