import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { segmentName } from '../../../../lib/archive/segment-names.ts';
import { archivedSpan } from '../../../../lib/recovery/replay/archived-span.ts';
import { OutcomeCounter } from '../../../../lib/recovery/replay/outcome-counter.ts';
import { placeOf } from '../../../../lib/recovery/replay/position.ts';
import { RecentKeys } from '../../../../lib/recovery/replay/recent-keys.ts';
import { emptySummary } from '../../../../lib/recovery/replay/summary.ts';
import { FakeSegments } from '../../archive/fake-segments.ts';
import { startMs, timeOf, wishFor } from './case-replay.ts';

const minuteMs = 60_000;

function segmentAt(time: number): string {
  return segmentName({ cluster: 'main', time: new Date(time), writer: 'w', sequence: 0 });
}

test('the span of an archive is found, wherever its segments are and however few', async () => {
  const minutes = fc.uniqueArray(fc.integer({ min: -60 * 24 * 60, max: 30 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(minutes, fc.integer({ min: 1, max: 5 }), async (all, pageSize) => {
      const store = new FakeSegments();
      store.pageSize = pageSize;
      for (const minute of all) store.objects.set(segmentAt(startMs + minute * minuteMs), Buffer.alloc(0));
      store.objects.set('cluster=main2/nothing', Buffer.alloc(0));
      expect(await archivedSpan(store, 'main', new Date(startMs))).toEqual({
        cluster: 'main',
        first: new Date(startMs + Math.min(...all) * minuteMs),
        last: new Date(startMs + Math.max(...all) * minuteMs),
      });
    }),
    { numRuns: 200 },
  );
  expect(await archivedSpan(new FakeSegments(), 'main', new Date(startMs))).toBeUndefined();
});

test('a month of segments is told of with few listings', async () => {
  const store = new FakeSegments();
  for (let minute = 0; minute < 43_200; minute += 10) {
    store.objects.set(segmentAt(startMs - minute * minuteMs), Buffer.alloc(0));
  }
  let listings = 0;
  const list = (prefix: string, after: string) => {
    listings += 1;
    return store.list(prefix, after);
  };
  await archivedSpan({ list, open: store.open }, 'main', new Date(startMs));
  expect(listings).toBeLessThan(20);
});

test('a key is remembered for as long as so many others come up, and forgotten in the end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 80 }),
      fc.integer({ min: 1, max: 6 }),
      (all, least) => {
        const keys = new RecentKeys(least);
        for (const [index, key] of all.entries()) {
          const before = all.slice(0, index).lastIndexOf(key);
          const others = before < 0 ? Number.POSITIVE_INFINITY : new Set(all.slice(before + 1, index)).size;
          const isKnown = keys.has(String(key));
          keys.add(String(key));
          if (before < 0) expect(isKnown).toBe(false);
          else if (others < least) expect(isKnown).toBe(true);
        }
      },
    ),
  );
  const keys = new RecentKeys(10);
  for (let key = 0; key < 30; key += 1) keys.add(String(key));
  expect(keys.has('0')).toBe(false);
});

test('how far a replay is, is told by the time that is behind, cluster after cluster', () => {
  const wish = wishFor({}, { clusters: ['edge', 'main'], to: timeOf(100) });
  const at = (cluster: string, seconds: number) => {
    const segment = segmentName({ cluster, time: timeOf(seconds), writer: 'w', sequence: 0 });
    return placeOf(wish, { cluster, segment, lines: 1 }).share;
  };
  expect([at('edge', -30), at('edge', 50), at('main', 0), at('main', 50)]).toEqual([0, 0.25, 0.5, 0.75]);
  expect(placeOf(wish, undefined)).toEqual({ share: 0, time: undefined });
});

test('an archive that somebody has tampered with fills neither the memory nor the screen', () => {
  const counter = new OutcomeCounter(emptySummary);
  for (let count = 0; count < 2_000; count += 1) {
    counter.countReplayed({ function: 'match-claim', sentAt: timeOf(count) }, `Kind${count}`);
    counter.countNoQueue(`function-${count}`);
    counter.note({ segment: `segment ${count}`, linesRead: 0, reason: 'it is empty' });
  }
  counter.countReplayed({ function: 'match-claim', sentAt: timeOf(0) }, '\u001b[2J');
  counter.countNoQueue('\u001b[2J'.repeat(100));
  const { replayed, noQueue, damaged, moreDamaged } = counter.summary;
  expect([replayed.length, noQueue.length, damaged.length, moreDamaged]).toEqual([501, 501, 100, 1_900]);
  expect(replayed.reduce((total, { messages }) => total + messages, 0)).toBe(2_001);
  expect(JSON.stringify(counter.summary)).not.toContain('u001b');
  expect(new OutcomeCounter(counter.summary).summary).toEqual(counter.summary);
});
