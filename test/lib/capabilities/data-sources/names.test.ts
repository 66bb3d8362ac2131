import { expect, test } from '@jest/globals';
import { copyNameFor, copyNameOf, isCopy, isCopyName } from '../../../../lib/capabilities/data-sources/names.ts';
import { linkedClaim } from '../../../support/builders-of-snapshots.ts';
import { contentCopy, primeAsMade, snapshotCopy } from './populate-stages.ts';

test('copies are named after the uid of their claim, and after nothing that its user chooses', () => {
  expect(copyNameOf(linkedClaim())).toBe('populate-uid-claim');
  expect(copyNameOf(linkedClaim({ metadata: { name: 'other', namespace: 'stage' } }))).toBe('populate-uid-claim');
  expect(copyNameFor('0f8fad5b-d9cb-469f-a165-70867728950e')).toBe('populate-0f8fad5b-d9cb-469f-a165-70867728950e');
});

test.each([
  ['a prime claim', 'longshore-system', 'populate-uid-claim', true],
  ['a claim of ours of another name', 'longshore-system', 'db', false],
  ['a claim of a user with such a name', 'test', 'populate-uid-claim', false],
  ['what has no namespace', undefined, 'populate-uid-claim', false],
])('the name of %s', (_, namespace, name, expected) => {
  expect(isCopyName({ name, ...(namespace ? { namespace } : {}) })).toBe(expected);
});

test('a copy is known by a mark that no user can write there', () => {
  for (const copy of [contentCopy(), snapshotCopy(), primeAsMade]) {
    expect(isCopy(copy)).toBe(true);
    expect(isCopy({ metadata: { ...copy.metadata, annotations: {} } })).toBe(false);
    expect(isCopy({ metadata: { ...copy.metadata, namespace: 'test' } })).toBe(false);
  }
});
