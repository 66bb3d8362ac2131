import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { protection } from '../../../support/builders.ts';
import { linkedClaim, snapshotLink, volumeSnapshot } from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';
import { reconsideredAfter, routesAfter, routesOfList, type Seen, toClaim, toCopies } from './routes-after.ts';

const { contentCopy, held, prime, snapshotCopy } = stage;
const seen = (...objects: ClusterObject[]): Seen[] => objects.map((object) => ['added', object]);
const waiting = held();

describe('a volume that is released', () => {
  const released = stage.volume({}, {}, 'Released');

  test('is looked at by the name of the prime claim that it was made for', () => {
    for (const type of ['added', 'updated', 'listed'] as const)
      expect(routesAfter([type, released])).toEqual([toCopies]);
  });

  test.each<[string, Seen]>([
    ['is gone', ['deleted', released]],
    ['was a user’s', ['updated', stage.volume({ claimRef: stage.toClaim }, {}, 'Released')]],
    [
      'was of another claim of ours',
      ['updated', stage.volume({ claimRef: { ...stage.toPrime, name: 'db' } }, {}, 'Released')],
    ],
    [
      'is of a user who took the name',
      ['updated', stage.volume({ claimRef: { ...stage.toPrime, namespace: 'test' } }, {}, 'Released')],
    ],
    ['is none, but bound', ['updated', stage.volume()]],
    ['belongs to nobody', ['updated', { ...released, spec: {} }]],
  ])('costs nothing where it %s', (_, change) => {
    expect(routesAfter(change)).toEqual([]);
  });
});

describe('copies whose claim is gone', () => {
  test.each<[string, ClusterObject]>([
    ['a content', contentCopy()],
    ['a snapshot', snapshotCopy({})],
    ['a prime claim', prime()],
  ])('are cleared up by their own name when they are made too late: %s', (_, copy) => {
    expect(routesAfter(['added', copy])).toEqual([toCopies]);
    expect(routesAfter(...seen(linkedClaim({ metadata: { uid: 'uid-anew' } })), ['added', copy])).toEqual([toCopies]);
    expect(routesAfter(['deleted', copy])).toEqual([]);
  });

  test('cost nothing while they go', () => {
    expect(routesAfter(['updated', stage.primeGoing()])).toEqual([]);
    expect(routesAfter(['deleted', snapshotCopy()])).toEqual([]);
  });

  test('that carry no legal mark are looked at by their own name', () => {
    expect(routesAfter(['added', contentCopy({ annotations: { 'longshore.dev/populates': 'nobody' } })])).toEqual([
      toCopies,
    ]);
  });
});

describe('what a change of their claim makes of copies', () => {
  const copies = [contentCopy(), snapshotCopy({}), prime()];
  const names = [
    'VolumeSnapshotContent populate-uid-claim',
    'VolumeSnapshot longshore-system/populate-uid-claim',
    'PersistentVolumeClaim longshore-system/populate-uid-claim',
  ];
  const each = (routes: string[]) => Object.fromEntries(names.map((name) => [name, routes]));
  const finished = stage.bound([stage.said('True', 'Populated')], { finalizers: [protection] });
  const cases: [string, Seen[], string[]][] = [
    ['it is seen after them', [...seen(...copies), ['added', waiting]], []],
    ['it has its volume, and needs none of them', [...seen(waiting, ...copies), ['updated', finished]], [toClaim]],
    ['it goes', [...seen(waiting, ...copies), ['deleted', waiting]], [toCopies]],
    [
      'another one has its name',
      [...seen(waiting, ...copies), ['added', linkedClaim({ metadata: { uid: 'uid-anew' } })]],
      [toCopies],
    ],
  ];

  test.each(cases)('where %s', (_, changes, routes) => {
    expect(reconsideredAfter(...changes)).toEqual(each(routes));
  });

  test('is nothing for copies that are gone, and for those of others', () => {
    const gone = copies.map((copy): Seen => ['deleted', copy]);
    expect(reconsideredAfter(...seen(waiting, ...copies), ...gone, ['deleted', waiting])).toEqual({});
    const other = linkedClaim({ metadata: { name: 'other', uid: 'uid-other' } });
    expect(reconsideredAfter(...seen(...copies), ['added', other])).toEqual({});
  });

  test('is what a list would find', () => {
    expect(routesOfList(waiting, ...copies)).toEqual([toClaim]);
    expect(routesOfList(...copies)).toEqual([toCopies]);
  });
});

describe('what only looks like a copy', () => {
  test('is a snapshot of a user that whoever waits for it is woken by', () => {
    const mark = { annotations: { 'longshore.dev/populates': 'a/b/c' } };
    const before = seen(waiting, snapshotLink());
    expect(routesAfter(...before, ['added', volumeSnapshot({ metadata: mark })])).toEqual([toClaim]);
  });

  test('is a content without a mark', () => {
    expect(routesAfter(['added', contentCopy({ annotations: {} })])).toEqual([]);
  });
});
