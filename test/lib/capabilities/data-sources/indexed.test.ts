import { describe, expect, test } from '@jest/globals';
import {
  copySignature,
  indexedClaim,
  primeSignature,
  snapshotSignature,
} from '../../../../lib/capabilities/data-sources/indexed.ts';
import type { Claim, ClaimSpec } from '../../../../lib/kubernetes/objects.ts';
import { linkedClaim, referringClaim, volumeSnapshot } from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';

const { bound, held, prime, primeBound, snapshotCopy } = stage;
const of = (dataSourceRef: ClaimSpec['dataSourceRef']) =>
  linkedClaim({ spec: { dataSourceRef: dataSourceRef as never } });
const snapshots = 'snapshot.storage.k8s.io';

describe('a claim needs', () => {
  test.each<[string, Claim, string, string[]]>([
    ['its link and its class', linkedClaim(), 'populate-claim', ['link test/yesterday', 'class fast']],
    [
      'its link alone, if it has no class',
      linkedClaim({ spec: { storageClassName: '' } }),
      'populate-claim',
      ['link test/yesterday'],
    ],
    [
      'the snapshot that it names, its grants and its class',
      referringClaim(),
      'populate-claim',
      ['snapshot prod/backup', 'grants prod', 'class fast'],
    ],
    [
      'a snapshot with dots in its name',
      referringClaim({}, 'prod.a.b'),
      'populate-claim',
      ['snapshot prod/a.b', 'grants prod', 'class fast'],
    ],
    [
      'a snapshot of its own namespace',
      of({ apiGroup: snapshots, kind: 'VolumeSnapshot', name: 'a' }),
      'check-source',
      ['snapshot test/a'],
    ],
    [
      'a claim of its own namespace',
      of({ kind: 'PersistentVolumeClaim', name: 'a' }),
      'check-source',
      ['claim test/a'],
    ],
    [
      'a snapshot elsewhere, and its grants',
      of({ apiGroup: snapshots, kind: 'VolumeSnapshot', name: 'a', namespace: 'prod' }),
      'check-source',
      ['snapshot prod/a', 'grants prod'],
    ],
    ['a registration', of({ apiGroup: 'example.com', kind: 'Dump', name: 'a' }), 'check-source', ['kind any']],
    ['nothing, for a transfer', of({ apiGroup: 'longshore.dev', kind: 'Transfer', name: 'a' }), 'check-source', []],
  ])('%s', (_, claim, name, needs) => {
    expect(indexedClaim(claim)).toMatchObject({ uid: 'uid-claim', function: name, needs });
  });

  test('nothing where it asks for no data, or is a copy', () => {
    expect([of(undefined), prime()].map(indexedClaim)).toEqual([undefined, undefined]);
  });
});

describe('a claim that is populated is at rest', () => {
  const populated = stage.said('True', 'Populated');
  const free = { finalizers: [] };

  test.each<[string, Claim, boolean]>([
    ['when it is bound, says so and is let go', bound([populated], free), true],
    ['when it has another volume and says so', bound([stage.said('Unknown', 'BoundToOtherVolume')], free), true],
    ['not while it is held', bound([populated]), false],
    ['not before it says so', bound([], free), false],
    ['not when it is deleted', bound([populated], { ...free, ...stage.deleting }), false],
    ['not before it is bound', linkedClaim({ status: { phase: 'Pending', conditions: [populated] } }), false],
    ['not while it says what it waits for', bound([stage.said('False', 'NotGranted')], free), false],
  ])('%s', (_, claim, expected) => {
    expect(indexedClaim(claim)?.isAtRest).toBe(expected);
  });
});

describe('what matters of a claim', () => {
  const signature = (claim: Claim) => indexedClaim(claim)?.signature;

  test.each<[string, Claim]>([
    ['that it is another one', linkedClaim({ metadata: { uid: 'anew' } })],
    ['that it is deleted', linkedClaim({ metadata: stage.deleting })],
    ['that it is bound', linkedClaim({ status: { phase: 'Bound' } })],
    ['its class', linkedClaim({ spec: { storageClassName: 'slow' } })],
  ])('is %s', (_, claim) => {
    expect(signature(claim)).not.toBe(signature(linkedClaim()));
  });

  test.each<[string, Claim]>([
    ['that it is held', held()],
    ['what it says', linkedClaim({ status: { conditions: [stage.said('False', 'NotGranted')] } })],
    ['its version', linkedClaim({ metadata: { resourceVersion: '2' } })],
    ['its labels', linkedClaim({ metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } })],
  ])('is not %s', (_, claim) => {
    expect(signature(claim)).toBe(signature(linkedClaim()));
  });
});

test('the node of a claim is noted by itself, as one that goes is our own doing', () => {
  const claim = linkedClaim({ metadata: { annotations: { [stage.selectedNode]: 'n' } } });
  expect([indexedClaim(claim)?.node, indexedClaim(linkedClaim())?.node]).toEqual(['n', undefined]);
});

describe('what matters', () => {
  test('of a snapshot is all that a check looks at, and nothing else', () => {
    const first = snapshotSignature(volumeSnapshot());
    const changed = [
      volumeSnapshot({ metadata: { uid: 'anew' } }),
      volumeSnapshot({ metadata: stage.deleting }),
      volumeSnapshot({ status: { readyToUse: false } }),
      volumeSnapshot({ status: { restoreSize: '2Gi' } }),
      volumeSnapshot({ status: { boundVolumeSnapshotContentName: 'b' } }),
      volumeSnapshot({ status: { error: { message: 'no' } } }),
    ].map(snapshotSignature);
    expect(new Set([first, ...changed]).size).toBe(7);
    const same = volumeSnapshot({
      metadata: { labels: { a: 'b' }, resourceVersion: '9' },
      status: { error: { time: 'x' } },
    });
    expect(snapshotSignature(same)).toBe(first);
  });

  test('of a copy of a snapshot is that it is ready, or fails', () => {
    const [unseen, seen] = [snapshotCopy({}), snapshotCopy({ readyToUse: false, boundVolumeSnapshotContentName: 'a' })];
    expect(copySignature(seen)).toBe(copySignature(unseen));
    expect(copySignature(snapshotCopy())).not.toBe(copySignature(unseen));
    expect(copySignature(snapshotCopy({ error: { message: 'no' } }))).not.toBe(copySignature(unseen));
  });

  test('of a prime claim is that it is bound, and that a node is taken off it', () => {
    const withNode = prime({ annotations: { [stage.selectedNode]: 'n' } });
    expect(new Set([prime(), primeBound(), withNode].map(primeSignature)).size).toBe(3);
    expect(primeSignature(prime({ finalizers: [], resourceVersion: '7' }))).toBe(primeSignature(prime()));
  });
});
