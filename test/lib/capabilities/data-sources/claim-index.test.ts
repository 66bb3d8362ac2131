import { describe, expect, test } from '@jest/globals';
import { ClaimIndex } from '../../../../lib/capabilities/data-sources/claim-index.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { resourceOfKind, resources } from '../../../../lib/kubernetes/resources.ts';
import { linkedClaim, referringClaim, snapshotLink, volumeSnapshot } from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';

const { bound, held, now, prime, primeBound, said, snapshotCopy } = stage;

function indexOf(...objects: ClusterObject[]): ClaimIndex {
  const index = new ClaimIndex();
  for (const object of objects) note(index, object);
  return index;
}

function note(index: ClaimIndex, object: ClusterObject, type: 'updated' | 'deleted' = 'updated'): void {
  const resource = resourceOfKind(object.apiVersion, object.kind) ?? resources.pod;
  index.note({ type, resource, object, seenAt: now });
}

const done = bound([said('True', 'Populated')], { finalizers: [] });

describe('who waits for something is known', () => {
  test('by its own name, and by that of its link', () => {
    const index = indexOf(linkedClaim(), snapshotLink());
    for (const needed of ['link test/yesterday', 'class fast', 'snapshot prod/backup', 'grants prod'] as const) {
      expect(index.waitingFor(needed)).toEqual(['test/copy']);
    }
    expect(index.waitingFor('snapshot test/backup')).toEqual([]);
  });

  test('in whichever order the two are seen', () => {
    expect(indexOf(snapshotLink(), linkedClaim()).waitingFor('snapshot prod/backup')).toEqual(['test/copy']);
  });

  test('once, though it waits in more than one way', () => {
    const link = { ...snapshotLink(), spec: { source: { name: 'a' } } };
    const second = { ...snapshotLink(), metadata: { ...link.metadata, name: 'second' } };
    expect(indexOf(linkedClaim(), link, second).waitingFor('grants test')).toEqual(['test/copy']);
  });

  test('until it is at rest, is gone, or needs something else', () => {
    const index = indexOf(linkedClaim(), snapshotLink());
    note(index, done);
    expect(index.waitingFor('grants prod')).toEqual([]);
    note(index, linkedClaim());
    expect(index.waitingFor('grants prod')).toEqual(['test/copy']);
    note(index, snapshotLink({ spec: { source: { namespace: 'other', name: 'backup' } } }));
    expect(index.waitingFor('grants prod')).toEqual([]);
    expect(index.waitingFor('grants other')).toEqual(['test/copy']);
    note(index, snapshotLink(), 'deleted');
    expect(index.waitingFor('grants other')).toEqual([]);
    note(index, linkedClaim(), 'deleted');
    expect([index.waitingFor('link test/yesterday'), index.get('test/copy')]).toEqual([[], undefined]);
  });

  test('by a need that changes with a claim that was made anew', () => {
    const index = indexOf(linkedClaim(), snapshotLink());
    note(index, referringClaim({ metadata: { uid: 'anew' } }, 'stage.b'));
    expect(index.waitingFor('link test/yesterday')).toEqual([]);
    expect(index.waitingFor('snapshot stage/b')).toEqual(['test/copy']);
  });
});

describe('a claim has changed', () => {
  const hasChanged = (...claims: ClusterObject[]) => indexOf(...claims).hasClaimChanged('test/copy');

  test('when it is new, or in what matters', () => {
    expect(hasChanged(linkedClaim())).toBe(true);
    expect(hasChanged(linkedClaim(), linkedClaim())).toBe(false);
    expect(hasChanged(linkedClaim(), linkedClaim({ metadata: stage.deleting }))).toBe(true);
  });

  test('when it is let go before it is at rest', () => {
    expect(hasChanged(linkedClaim(), held())).toBe(false);
    expect(hasChanged(held(), linkedClaim())).toBe(true);
    expect(hasChanged(bound([said('True', 'Populated')]), done)).toBe(false);
  });

  test('and is gone while it was held, by its uid', () => {
    for (const [claim, uid] of [
      [held(), 'uid-claim'],
      [linkedClaim(), undefined],
    ] as const) {
      const index = indexOf(claim);
      expect(index.goneWhileHeld('test/copy')).toBeUndefined();
      note(index, claim, 'deleted');
      expect(index.goneWhileHeld('test/copy')).toBe(uid);
    }
  });
});

describe('a snapshot or prime claim', () => {
  test('has changed when it is new, in what matters, or when it goes', () => {
    const index = indexOf(snapshotCopy({}));
    expect([index.hasChanged(), index.isFirstSeen()]).toEqual([true, true]);
    note(index, snapshotCopy({ readyToUse: false }));
    expect([index.hasChanged(), index.isFirstSeen()]).toEqual([false, false]);
    note(index, snapshotCopy());
    expect([index.hasChanged(), index.isFirstSeen()]).toEqual([true, false]);
    note(index, snapshotCopy(), 'deleted');
    expect(index.hasChanged()).toBe(true);
    note(index, snapshotCopy());
    expect(index.isFirstSeen()).toBe(true);
  });

  test('is not taken for another one of its name in another namespace, or of another kind', () => {
    const index = indexOf(prime(), snapshotCopy());
    note(index, prime());
    expect(index.hasChanged()).toBe(false);
    note(index, volumeSnapshot({ metadata: { name: stage.copyName } }));
    expect(index.isFirstSeen()).toBe(true);
    note(index, primeBound());
    expect([index.hasChanged(), index.isFirstSeen()]).toEqual([true, false]);
  });
});
