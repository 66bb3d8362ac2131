import { expect, test } from '@jest/globals';
import { foldRepeats } from '../../../cli/trace/repeats.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { Entry } from '../../../lib/recovery/timeline/timeline-entry.ts';

const bucket = nameOf(resources.bucket, 'album', 'photos');
const content = nameOf(resources.bucketContent, undefined, 'album-photos');

function entry(minute: number, more: Partial<Entry> = {}): Entry {
  const details = { function: 'copy-secret', cause: 'update', runId: `run-${minute}` };
  const at = { ms: Date.UTC(2026, 10, 19, 3, minute), isExact: true };
  return { at, source: 'message', object: bucket, what: `told ${minute}`, details, isReaction: false, ...more };
}

test('what is told again and again is one line, of each object', () => {
  const all = [entry(1), entry(1, { object: content }), entry(2), entry(2, { object: content }), entry(3)];
  expect(foldRepeats(all).map(({ object, what }) => [object.name, what])).toEqual([
    ['photos', 'told 1; and 2 more like it, until 2026-11-19T03:03:00.000Z'],
    ['album-photos', 'told 1; and 1 more like it, until 2026-11-19T03:02:00.000Z'],
  ]);
});

test('it ends where something else happens, and nothing else is folded', () => {
  const event = entry(2, { source: 'event', what: 'Bound' });
  const live = entry(4, { details: { function: 'copy-secret', cause: 'update' } });
  const all = [entry(1), event, entry(3), live, { ...live, at: { ms: live.at.ms + 1, isExact: true } }];
  expect(foldRepeats(all)).toEqual(all);
});

test('of another function or cause it is something else', () => {
  const other = entry(2, { details: { function: 'bind-bucket', cause: 'update', runId: 'run-2' } });
  expect(foldRepeats([entry(1), other])).toEqual([entry(1), other]);
});
