import { expect, test } from '@jest/globals';
import { ReadingRhythm } from '../../../lib/kubernetes/reading-rhythm.ts';

function crowdedAfter(times: number[]): boolean[] {
  const rhythm = new ReadingRhythm();
  return times.map((atMs) => rhythm.isCrowded(atMs));
}

const every = (milliseconds: number, count: number, fromMs = 0) =>
  Array.from({ length: count }, (_, index) => fromMs + index * milliseconds);

test('what comes alone, or now and then, never waits', () => {
  expect(crowdedAfter([0])).toEqual([false]);
  expect(crowdedAfter(every(2, 1_000))).not.toContain(true);
});

test('a few that come together do not wait either', () => {
  const handfuls = every(2, 100).flatMap((atMs) => every(0.01, 5, atMs));
  expect(crowdedAfter(handfuls)).not.toContain(true);
});

test('where one comes right after the other, there is a rest, until that is over', () => {
  const crowded = crowdedAfter([...every(0.02, 100), ...every(2, 5, 10)]);
  expect(crowded.slice(10, 100)).not.toContain(false);
  expect(crowded.slice(100)).not.toContain(true);
});
