import { expect, test } from '@jest/globals';
import { type OrderedEntry, OrderedLane } from '../../../lib/queue/ordered-lane.ts';

interface Item extends OrderedEntry {
  name: string;
}

function item(name: string, group: string, isAlone = false): Item {
  return { name, group, isAlone, refusals: 0 };
}

function namesOf(items: readonly Item[]): string[] {
  return items.map(({ name }) => name);
}

test('of each group one message is on its way, and the next one comes when that is settled', () => {
  const lane = new OrderedLane<Item>();
  const [first, ...others] = [item('a1', 'a'), item('a2', 'a'), item('b1', 'b'), item('a3', 'a')] as const;
  for (const each of [first, ...others]) lane.add(each);
  expect([lane.readyCount, namesOf(lane.take(10)), lane.readyCount]).toEqual([2, ['a1', 'b1'], 0]);
  lane.finish(first);
  expect(namesOf(lane.take(10))).toEqual(['a2']);
  lane.putBack([others[0]]);
  expect(namesOf(lane.take(10))).toEqual(['a2']);
  lane.finish(others[0]);
  expect(namesOf(lane.take(10))).toEqual(['a3']);
});

test('what comes again goes first, and what goes alone has a call of its own, whatever stands around it', () => {
  const lane = new OrderedLane<Item>();
  lane.add(item('new', 'n'));
  lane.putBack([item('a', 'a'), item('alone', 'b', true), item('c', 'c')]);
  expect([lane.take(10), lane.take(10), lane.take(10)].map(namesOf)).toEqual([['a'], ['alone'], ['c', 'new']]);
});

test('a lane through which much goes keeps nothing of it, and its order', () => {
  const lane = new OrderedLane<Item>();
  const taken: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    lane.add(item(String(count), `group ${count % 700}`));
    if (count % 7 !== 6) continue;
    for (const each of lane.take(10)) {
      taken.push(each.name);
      lane.finish(each);
    }
  }
  expect(taken).toEqual([...Array(taken.length).keys()].map(String));
  expect(taken.length).toBeGreaterThan(9_000);
});

test('what has become needless meanwhile is asked when its turn comes, once, and left out', () => {
  const lane = new OrderedLane<Item>();
  const asked: string[] = [];
  const all = ['1', '2', '3', '4'].map((name) => {
    const isNeedless = () => asked.push(name) > 0 && name !== '4';
    return { ...item(name, 'a'), isNeedless };
  });
  for (const each of all) lane.add(each);
  const [first] = lane.take(10) as [Item];
  expect(asked).toEqual([]);
  lane.finish(first);
  expect([asked, namesOf(lane.take(10)), lane.readyCount]).toEqual([['2', '3', '4'], ['4'], 0]);
});
