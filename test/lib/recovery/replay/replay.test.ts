import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import type { Filter } from '../../../../lib/recovery/replay/filter.ts';
import {
  about,
  archiveOf,
  archiveOfMessages,
  messageOf,
  numberOf,
  PausedClock,
  replayOf,
  type Told,
  timeOf,
  wishFor,
} from './case-replay.ts';
import { UnrulyQueue } from './unruly-queue.ts';

const some: Told[] = [
  { name: 'a' },
  { name: 'b', namespace: 'other' },
  { name: 'v', function: 'rebind-volume', resource: resources.volume },
  { name: 'a', namespace: 'other', function: 'rebind-volume' },
  { name: 'x', function: 'match-nothing' },
];

test.each<[Filter, number[]]>([
  [{}, [0, 1, 2, 3]],
  [{ name: 'a' }, [0, 3]],
  [{ namespace: 'other' }, [1, 3]],
  [{ kind: 'PersistentVolume' }, [2]],
  [{ kind: 'PersistentVolumeClaim' }, [0, 1, 3]],
  [{ function: 'rebind-volume' }, [2, 3]],
  [{ function: 'rebind-volume', namespace: 'other', name: 'a' }, [3]],
  [{ name: 'nobody' }, []],
])('of what is asked for as %j, messages %j are replayed, and all others are counted', async (filter, expected) => {
  const queue = new UnrulyQueue();
  const replay = replayOf(archiveOf(some), { wish: wishFor(filter), offer: queue.offer });
  await replay.run();
  expect(queue.taken.map(numberOf).sort()).toEqual(expected);
  const { others, noQueue } = replay.summary;
  expect(others + expected.length + noQueue.length).toBe(some.length);
});

test('messages are counted by function and kind, with the times of the first and the last one', async () => {
  const replay = replayOf(archiveOf([...some, ...about('c')]), { offer: new UnrulyQueue().offer });
  await replay.run();
  const count = (functionName: string, kind: string, messages: number, first: number, last: number) => {
    return {
      function: functionName,
      kind,
      messages,
      first: timeOf(first).toISOString(),
      last: timeOf(last).toISOString(),
    };
  };
  expect(replay.summary).toEqual({
    replayed: [
      count('match-claim', 'PersistentVolumeClaim', 3, 0, 5),
      count('rebind-volume', 'PersistentVolume', 1, 2, 2),
      count('rebind-volume', 'PersistentVolumeClaim', 1, 3, 3),
    ],
    others: 0,
    repeated: 0,
    noQueue: [{ function: 'match-nothing', messages: 1 }],
    refused: [],
    damaged: [],
    moreDamaged: 0,
  });
});

test('a range has its first moment and not its last one, in whichever segment they are', async () => {
  const all = about(...Array.from({ length: 20 }, (_, index) => `claim-${index}`));
  await fc.assert(
    fc.asyncProperty(fc.nat(22), fc.nat(22), fc.integer({ min: 1, max: 8 }), async (from, to, inSegment) => {
      const queue = new UnrulyQueue();
      const wish = wishFor({}, { from: timeOf(from), to: timeOf(to) });
      await replayOf(archiveOf(all, inSegment), { wish, offer: queue.offer }).run();
      const expected = [...all.keys()].filter((number) => number >= from && number < to);
      expect(queue.taken.map(numberOf).sort((one, other) => one - other)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test('clusters are replayed in their order, and only those that are meant', async () => {
  const clusters = ['edge', 'main', 'other', 'edge', 'main'];
  const store = archiveOf(clusters.map((cluster, index) => ({ cluster, name: `claim-${index}` })));
  const queue = new UnrulyQueue();
  await replayOf(store, { wish: wishFor({}, { clusters: ['edge', 'main'] }), offer: queue.offer }).run();
  expect(queue.taken.map(numberOf)).toEqual([0, 3, 1, 4]);
});

test('where one message of each key is enough, it is the first one, and the others are counted', async () => {
  const queue = new UnrulyQueue();
  const store = archiveOf([...about('a', 'b', 'a'), { name: 'a', function: 'rebind-volume' }, ...about('b', 'c', 'a')]);
  const replay = replayOf(store, { wish: wishFor({}, { oncePerKey: true }), offer: queue.offer });
  await replay.run();
  expect(queue.taken.map(numberOf).sort()).toEqual([0, 1, 3, 5]);
  expect(replay.summary.repeated).toBe(3);
});

test('a dry run sends nothing and counts the same', async () => {
  const counts = [];
  for (const offer of [new UnrulyQueue().offer, undefined]) {
    const replay = replayOf(archiveOf([...some, ...some]), { wish: wishFor({ name: 'a' }), offer });
    expect(await replay.run()).toBe(true);
    counts.push(replay.summary);
  }
  expect(counts[1]).toEqual(counts[0]);
});

test('what is no message goes out byte for byte, and is counted without a kind', async () => {
  const queue = new UnrulyQueue();
  const body = 'no JSON \u0007 "';
  const store = archiveOfMessages([{ ...messageOf({ name: 'a' }, 0), body }]);
  const replay = replayOf(store, { offer: queue.offer });
  await replay.run();
  expect(queue.taken.map((message) => message.body)).toEqual([body]);
  expect(replay.summary.replayed).toMatchObject([{ function: 'match-claim', kind: '(none)', messages: 1 }]);
});

test.each(['groupId', 'deduplicationId'])(
  'what has a longer %s than queues take is not held, and is counted',
  async (id) => {
    const queue = new UnrulyQueue();
    const store = archiveOfMessages([
      { ...messageOf({ name: 'a' }, 0), [id]: 'x'.repeat(129) },
      { ...messageOf({ name: 'b' }, 1), [id]: 'x'.repeat(128) },
    ]);
    const replay = replayOf(store, { offer: queue.offer });
    expect(await replay.run()).toBe(true);
    expect(queue.taken.map(numberOf)).toEqual([1]);
    expect(replay.summary.refused).toEqual([{ function: 'match-claim', code: 'InvalidParameterValue', messages: 1 }]);
  },
);

test('with a rate no more go out in a second than that', async () => {
  const clock = new PausedClock();
  const times: number[] = [];
  const names = Array.from({ length: 500 }, (_, index) => `claim-${index}`);
  const replay = replayOf(archiveOf(about(...names), 100), {
    clock,
    ratePerSecond: 50,
    offer: async (_, messages) => {
      times.push(...messages.map(() => clock.elapsedMs()));
      return [];
    },
  });
  await replay.run();
  expect(times).toHaveLength(500);
  for (let second = 0; second < 20; second += 1) {
    const within = times.filter((time) => time >= second * 500 && time < second * 500 + 1_000);
    expect(within.length).toBeLessThanOrEqual(50);
  }
});
