import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from '../../../lib/queue/fair-queue.ts';

interface Item {
  owner: string;
  number: number;
}

const owners = fc.constantFrom('a', 'b', 'c', 'd');
const everybody = () => true;

/** What happens one after the other: an owner has one more, or so many are taken. */
const courses = fc.array(fc.oneof(owners, fc.integer({ min: 1, max: 12 })), { maxLength: 200 });

function play(course: (string | number)[], mayTake: (owner: string) => boolean = everybody) {
  const fairQueue = new FairQueue<Item>();
  const taken: Item[] = [];
  /** How many were taken when it came to be an owner's next turn. */
  const waitingSince = new Map<string, number>();
  const given: string[] = [];
  let number = 0;
  const passed: number[] = [];
  for (const step of course) {
    if (typeof step === 'string') {
      number += 1;
      given.push(step);
      fairQueue.add({ owner: step, number });
      if (!waitingSince.has(step)) waitingSince.set(step, taken.length);
      continue;
    }
    for (let count = 0; count < step; count += 1) {
      const item = fairQueue.next(mayTake);
      if (!item) break;
      const since = waitingSince.get(item.owner) ?? taken.length;
      const others = Map.groupBy(taken.slice(since), ({ owner }) => owner);
      others.delete(item.owner);
      passed.push(Math.max(0, ...[...others.values()].map(({ length }) => length)));
      taken.push(item);
      const isLast = given.filter((owner) => owner === item.owner).length === countOf(taken, item.owner);
      if (isLast) waitingSince.delete(item.owner);
      else waitingSince.set(item.owner, taken.length);
    }
  }
  return { fairQueue, taken, passed, count: number };
}

function countOf(items: Item[], owner: string): number {
  return items.filter((each) => each.owner === owner).length;
}

test('whoever waits lets pass no more than one of each other owner', () => {
  fc.assert(fc.property(courses, (course) => expect(Math.max(0, ...play(course).passed)).toBeLessThanOrEqual(1)));
});

test('what one owner has is taken in the order in which it came up, and nothing is lost or taken twice', () => {
  fc.assert(
    fc.property(courses, (course) => {
      const { fairQueue, taken, count } = play([...course, 1_000]);
      expect(taken.length).toBe(count);
      expect([fairQueue.readyCount, fairQueue.heldCount]).toEqual([0, 0]);
      for (const items of Map.groupBy(taken, ({ owner }) => owner).values()) {
        const numbers = items.map(({ number }) => number);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      }
    }),
  );
});

test('an owner who may have no turn is held with all that comes up, and keeps nobody waiting', () => {
  fc.assert(
    fc.property(courses, (course) => {
      const { fairQueue, taken, count } = play([...course, 1_000], (owner) => owner !== 'b');
      expect(taken.every(({ owner }) => owner !== 'b')).toBe(true);
      expect(fairQueue.readyCount).toBe(0);
      expect(fairQueue.heldCount).toBe(count - taken.length);
      fairQueue.release();
      expect([fairQueue.readyCount, fairQueue.heldCount]).toEqual([count - taken.length, 0]);
    }),
  );
});

test('of those who are held, the one who had a turn last is the last to have another', () => {
  const fairQueue = new FairQueue<Item>();
  for (const owner of ['a', 'b', 'c']) for (let number = 0; number < 3; number += 1) fairQueue.add({ owner, number });
  const taken: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    let left = 1;
    const item = fairQueue.next(() => left-- > 0);
    while (fairQueue.next(() => false));
    taken.push(item?.owner ?? 'nobody');
    fairQueue.release();
  }
  expect(taken).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});
