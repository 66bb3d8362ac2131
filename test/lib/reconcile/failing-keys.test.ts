import { beforeEach, expect, test } from '@jest/globals';
import { type FailedKey, FailingKeys } from '../../../lib/reconcile/failing-keys.ts';

let nowMs = 0;
let keys: FailingKeys;
beforeEach(() => {
  nowMs = 0;
  keys = new FailingKeys(() => new Date(nowMs));
});

function failed(group: string, more: Partial<FailedKey> = {}): void {
  const key = `team/${group}`;
  keys.failed({
    function: 'match-claim',
    group,
    kind: 'PersistentVolumeClaim',
    key,
    reason: 'Denied',
    error: 'no',
    ...more,
  });
}

test('a key fails from its first failure until it succeeds', () => {
  failed('a');
  nowMs = 5_000;
  failed('a', { error: 'still no' });
  expect(keys.all).toMatchObject([{ group: 'a', attempts: 2, since: new Date(0), error: 'still no' }]);
  keys.ended('match-claim', 'a');
  expect(keys.all).toEqual([]);
});

test('the same group of another function is another key', () => {
  failed('a');
  keys.ended('rebind-volume', 'a');
  expect(keys.all).toHaveLength(1);
});

test('what an object reports itself is no failure, and ends one', () => {
  failed('a');
  failed('a', { reason: 'Retry' });
  failed('b', { reason: 'Retry' });
  expect(keys.all).toEqual([]);
});

test('a key that no message came for is forgotten, as its object may be gone', () => {
  failed('a');
  nowMs = 19 * 60_000;
  failed('b');
  nowMs = 21 * 60_000;
  expect(keys.all.map(({ group }) => group)).toEqual(['b']);
});

test('keys are found by their object, and a long error is cut', () => {
  failed('a', { error: 'x'.repeat(1_000) });
  failed('b');
  const found = keys.of('PersistentVolumeClaim', { namespace: 'team', name: 'a' });
  expect(found.map(({ group, error }) => [group, error.length])).toEqual([['a', 300]]);
  expect(keys.of('PersistentVolume', { name: 'a' })).toEqual([]);
});
