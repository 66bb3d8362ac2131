import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import {
  type Entry,
  formatTimestamp,
  type Source,
  sortedByTime,
  timestampFrom,
} from '../../../../lib/recovery/timeline/timeline-entry.ts';

const startMs = Date.UTC(2026, 2, 1, 12);
const allSources: Source[] = ['object', 'message', 'log', 'event', 'write', 'condition'];

function entry(time: string, source: Source, what = source as string, isReaction = false): Entry {
  const at = timestampFrom(time) ?? { ms: 0, isExact: false };
  const object = { resource: resources.bucket, namespace: 'prod', name: 'photos' };
  return { at, source, object, what, details: {}, isReaction: isReaction };
}

const entries = fc.array(
  fc
    .record({
      ms: fc.integer({ min: 0, max: 5_000 }),
      isExact: fc.boolean(),
      source: fc.constantFrom(...allSources),
      what: fc.constantFrom('a', 'b'),
      isReaction: fc.boolean(),
    })
    .map(({ ms, isExact, source, what, isReaction }) => {
      const time = new Date(startMs + ms).toISOString();
      return entry(isExact ? time : time.replace(/\.\d+/, ''), source, what, isReaction);
    }),
);

const shown = (each: Entry) => `${formatTimestamp(each.at)} ${each.source} ${each.what}`;

test('whatever happened is shown once, second after second', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const ordered = sortedByTime(all);
      const seconds = ordered.map(({ at }) => Math.floor(at.ms / 1_000));
      expect(seconds).toEqual([...seconds].sort((one, other) => one - other));
      expect(new Set(ordered.map(shown))).toEqual(new Set(all.map(shown)));
      expect(ordered.length).toBe(new Set(all.map(shown)).size);
    }),
  );
});

test('what is known to the millisecond is in the order of its milliseconds', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const exact = sortedByTime(all).filter(({ at }) => at.isExact);
      const times = exact.map(({ at }) => at.ms);
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }),
  );
});

test('in whichever order things are found, they are shown in one', () => {
  const ofOneTime = allSources.map((source) => entry('2026-03-01T12:00:00.500Z', source));
  fc.assert(
    fc.property(fc.shuffledSubarray(ofOneTime, { minLength: 6 }), (all) => {
      expect(sortedByTime(all).map(({ source }) => source)).toEqual(allSources);
    }),
  );
});

test('of what is known to the second only, what began it comes first in it and the answer last', () => {
  const all = [
    entry('2026-03-01T12:00:01Z', 'object', 'deletion requested'),
    entry('2026-03-01T12:00:00Z', 'condition', 'Matched', true),
    entry('2026-03-01T12:00:00.700Z', 'message', 'told', false),
    entry('2026-03-01T12:00:00Z', 'object', 'created'),
    entry('2026-03-01T12:00:00.800Z', 'event', 'Matched', true),
  ];
  expect(sortedByTime(all).map(({ what, source }) => `${source} ${what}`)).toEqual([
    'object created',
    'message told',
    'event Matched',
    'condition Matched',
    'object deletion requested',
  ]);
});

test('nothing happens to an object before it is made', () => {
  const all = [
    entry('2026-03-01T12:00:00Z', 'object', 'created', true),
    entry('2026-03-01T12:00:00.600Z', 'message', 'told'),
    entry('2026-03-01T12:00:00.300Z', 'event', 'Provisioned', true),
    {
      ...entry('2026-03-01T12:00:00.100Z', 'message', 'about another'),
      object: { resource: resources.volume, name: 'v' },
    },
  ];
  expect(sortedByTime(all).map(({ what }) => what)).toEqual(['about another', 'created', 'Provisioned', 'told']);
});

test.each([
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'],
  ['2026-03-01T12:00:00.123456Z', '2026-03-01T12:00:00.123Z'],
  ['2026-03-01T13:00:00+01:00', '2026-03-01T12:00:00Z'],
])('the time %s is shown as %s', (text, expected) => {
  const moment = timestampFrom(text);
  expect(moment && formatTimestamp(moment)).toBe(expected);
});

test.each([undefined, null, '', 'yesterday'])('%p is no time', (text) => {
  expect(timestampFrom(text)).toBeUndefined();
});
