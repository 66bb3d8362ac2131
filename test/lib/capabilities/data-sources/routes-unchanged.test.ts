import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import {
  claimGrant,
  linkedClaim,
  linkGrant,
  referringClaim,
  snapshotLink,
} from '../../../support/builders-of-snapshots.ts';
import { routesAfter, routesOfEach, type Seen, toClaim } from './routes-after.ts';

const seen = (...objects: ClusterObject[]): Seen[] => objects.map((object) => ['added', object]);
const noted = { metadata: { annotations: { 'example.com/note': 'x' }, labels: { a: 'b' }, resourceVersion: '2' } };
const elsewhere = { spec: { source: { namespace: 'prod', name: 'other' } } };
const forAll = { spec: { to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot' }] } };

describe.each([
  ['link', linkedClaim(), snapshotLink(), snapshotLink(noted), snapshotLink({ ...noted, ...elsewhere })],
  ['grant for links', linkedClaim(), linkGrant(), linkGrant(noted), linkGrant({ ...noted, ...forAll })],
  ['grant for claims', referringClaim(), claimGrant(), claimGrant(noted), claimGrant({ ...noted, ...forAll })],
])('a %s', (_, claim, before, annotated, changed) => {
  const begun = seen(claim, snapshotLink(), before);

  test('whose spec does not change wakes nobody', () => {
    expect(routesAfter(...begun, ['updated', annotated])).toEqual([]);
    expect(routesAfter(...begun, ['updated', before])).toEqual([]);
  });

  test('whose spec changes wakes who waits for it, once', () => {
    const routes = routesOfEach(...begun, ['updated', annotated], ['updated', changed], ['updated', changed]);
    expect(routes.slice(-3)).toEqual([[], [toClaim], []]);
  });

  test('that goes and comes again wakes who waits for it each time', () => {
    expect(routesOfEach(...begun, ['deleted', before], ['added', before]).slice(-2)).toEqual([[toClaim], [toClaim]]);
  });

  test('that is another one with the same spec wakes who waits for it', () => {
    const anew = { ...before, metadata: { ...before.metadata, uid: 'uid-anew' } };
    expect(routesAfter(...begun, ['updated', anew])).toEqual([toClaim]);
  });
});

test('what changes of one is not taken for a change of another', () => {
  const other = snapshotLink({ metadata: { name: 'other', uid: 'uid-other' } });
  const routes = routesOfEach(
    ...seen(linkedClaim(), snapshotLink(), linkGrant(), other),
    ['updated', snapshotLink({ ...elsewhere, metadata: { name: 'other', uid: 'uid-other' } })],
    ['updated', snapshotLink(noted)],
    ['updated', linkGrant(noted)],
  );
  expect(routes.slice(-3)).toEqual([[], [], []]);
});
