import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import type { PopulatingWorld } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import { volumeSnapshot } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf } from '../../populate-table.ts';

const { held, now, prime, stages } = stage;
const other = { 'longshore.dev/copy-of': 'prod/backup/uid-of-another' };
const primeOf = (annotations: Record<string, string>, spec: object = {}) => {
  const made = stage.primeBound({ annotations: { ...stage.forClaim, ...annotations } });
  return { ...made, spec: { ...made.spec, ...spec } };
};
const made = (world: Partial<PopulatingWorld>): PopulatingWorld => ({ ...stages.primeBound, ...world });

describe('a volume that has not the name of its prime claim', () => {
  const named = (creationTimestamp?: string) => ({
    prime: prime({ creationTimestamp: stage.ago(10) }, 'disk-17'),
    volume: stage.volume({}, { name: 'disk-17', ...(creationTimestamp ? { creationTimestamp } : {}) }),
  });

  test.each([
    ['made later', stage.ago(9)],
    ['made in the same second', stage.ago(10)],
  ])('and was %s is handed over, and nothing begins anew', (_, at) => {
    const { writes, world } = settle(made(named(at)));
    expect(writes).toEqual(['patch volume']);
    expect(world.volume?.spec.claimRef?.uid).toBe('uid-claim');
  });

  test.each([
    ['is older', stage.ago(11)],
    ['does not tell its age', undefined],
  ])('and %s is not, as it may be of an earlier prime claim', (_, at) => {
    const { writes, world } = settle(made(named(at)));
    expect(writes[0]).toBe('delete prime');
    expect(world.volume?.spec.claimRef?.uid).toBe('uid-prime');
    expect(conditionOf(world.claim)?.reason).toBe('StartingOver');
  });

  test('and is older is handed over if it has the name after all', () => {
    const volume = stage.volume({}, { creationTimestamp: stage.ago(11) });
    expect(settle(made({ volume })).writes).toEqual(['patch volume']);
  });
});

describe('it begins anew, with nothing handed over, when the prime claim', () => {
  test.each<[string, Partial<PopulatingWorld>]>([
    ['does not say of which snapshot it is', { prime: primeOf({}) }],
    ['says what cannot be one', { prime: primeOf({ 'longshore.dev/copy-of': 'prod' }) }],
    ['is of another one than the copy of the content', { prime: primeOf(other), snapshot: undefined }],
    [
      'is of the wanted one and the copy of the content is not',
      { prime: primeOf(stage.ofSnapshot), contentCopy: stage.contentCopy({ annotations: other }) },
    ],
    ['has no copy of the content any more', { contentCopy: undefined }],
    [
      'and the copy of the content are both of an earlier one of that name',
      { prime: primeOf(other), contentCopy: stage.contentCopy({ annotations: { ...stage.forClaim, ...other } }) },
    ],
    ['is of a snapshot that has been made anew', { snapshot: volumeSnapshot({ metadata: { uid: 'uid-anew' } }) }],
    [
      'was made for no attributes class, and one is asked for',
      { claim: held({ spec: { volumeAttributesClassName: 'x' } }) },
    ],
    [
      'was made for an attributes class that is not asked for',
      { prime: primeOf(stage.ofSnapshot, { volumeAttributesClassName: 'x' }) },
    ],
  ])('%s', (_, world) => {
    const { writes, world: after } = settle(made(world));
    expect(writes.slice(0, 2)).toEqual(['delete prime', 'patch prime']);
    expect(after.volume?.spec.claimRef?.uid).toBe('uid-prime');
    expect(conditionOf(after.claim)?.reason).toBe('StartingOver');
  });
});

test('the same attributes class on both is handed over', () => {
  const spec = { volumeAttributesClassName: 'x' };
  const world = made({ claim: held({ spec }), prime: primeOf(stage.ofSnapshot, spec) });
  expect(summaryOf(decide(world, now))).toBe('patch volume');
});

test('what it is of goes from the copy of the content to the prime claim', () => {
  const annotations = { ...stage.forClaim, 'longshore.dev/copy-of': 'prod/backup/uid-7' };
  const contentCopy = stage.contentCopy({ annotations });
  const snapshot = volumeSnapshot({ metadata: { uid: 'uid-7' } });
  const content = { ...stages.asked.content, spec: { ...stages.asked.content?.spec } } as never;
  const { world } = settle({ ...stages.snapshotReady, contentCopy, snapshot, content: boundTo(content, 'uid-7') });
  expect(world.prime?.metadata.annotations).toEqual(annotations);
});

function boundTo(content: NonNullable<PopulatingWorld['content']>, uid: string) {
  return { ...content, spec: { ...content.spec, volumeSnapshotRef: { namespace: 'prod', name: 'backup', uid } } };
}
