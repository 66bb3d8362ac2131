import { expect, test } from '@jest/globals';
import { NameSets } from '../../../lib/reconcile/name-sets.ts';

test('each name has a set of its own, in which each member is once', () => {
  const sets = new NameSets();
  for (const member of ['one', 'two', 'one']) sets.add('a', member);
  sets.add('b', 'three');
  expect([sets.of('a'), sets.of('b'), sets.of('c')]).toEqual([['one', 'two'], ['three'], []]);
  expect([sets.has('a', 'one'), sets.has('b', 'one'), sets.has('c', 'one')]).toEqual([true, false, false]);
});

test('what is deleted is gone, and what was not there can be deleted', () => {
  const sets = new NameSets();
  sets.add('a', 'one');
  sets.delete('a', 'two');
  sets.delete('b', 'one');
  expect(sets.of('a')).toEqual(['one']);
  sets.delete('a', 'one');
  expect([sets.of('a'), sets.has('a', 'one')]).toEqual([[], false]);
  sets.add('a', 'two');
  expect(sets.of('a')).toEqual(['two']);
});

test('what it answers can be kept: it does not change with the set', () => {
  const sets = new NameSets();
  sets.add('a', 'one');
  const before = sets.of('a');
  sets.delete('a', 'one');
  expect(before).toEqual(['one']);
});
