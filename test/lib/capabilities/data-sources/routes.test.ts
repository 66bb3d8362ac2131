import { describe, expect, test } from '@jest/globals';
import type { Claim, ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { linkedClaim, linkGrant, snapshotLink } from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';
import { routesAfter, type Seen, toClaim, toCopies } from './routes-after.ts';

const { bound, contentCopy, deletionTimestamp, held, prime, primeBound, snapshotCopy } = stage;
const seen = (...objects: ClusterObject[]): Seen[] => objects.map((object) => ['added', object]);
const waiting = held();
const done = bound([stage.said('True', 'Populated')], { finalizers: [] });
const saying = (reason: string, of: typeof held = held) =>
  of({ status: { phase: 'Pending', conditions: [stage.said('False', reason)] } });
const onNode = (node?: string): Claim =>
  held({ metadata: { annotations: node ? { [stage.selectedNode]: node } : {} } });

describe('a claim', () => {
  test.each<[string, string[], ...Seen[]]>([
    ['that is new is populated', [toClaim], ['added', linkedClaim()]],
    ['that is seen for the first time is populated', [toClaim], ['updated', linkedClaim()]],
    ['that is bound is finished', [toClaim], ['added', waiting], ['updated', bound()]],
    [
      'that has lost its volume is looked at',
      [toClaim],
      ['added', done],
      ['updated', { ...done, status: { ...done.status, phase: 'Lost' } } as Claim],
    ],
    [
      'that is deleted takes its copies with it',
      [toClaim],
      ['added', waiting],
      ['updated', held({ metadata: { deletionTimestamp } })],
    ],
    [
      'that is made anew is populated',
      [toClaim],
      ['added', done],
      ['updated', linkedClaim({ metadata: { uid: 'uid-anew' } })],
    ],
    [
      'that is given a class is populated',
      [toClaim],
      ['added', linkedClaim({ spec: { storageClassName: undefined as never } })],
      ['updated', linkedClaim()],
    ],
    ['that is given a node is populated', [toClaim], ['added', onNode()], ['updated', onNode('node-1')]],
    ['that is given another node is populated', [toClaim], ['added', onNode('node-1')], ['updated', onNode('node-2')]],
    [
      'whose hold is taken off midway is held again',
      [toClaim],
      ['added', saying('Populating')],
      ['updated', saying('Populating', linkedClaim)],
    ],
    [
      'that goes though it was held leaves its copies to be cleared up',
      [toCopies],
      ['added', waiting],
      ['deleted', waiting],
    ],
    ['that goes and was never held costs nothing', [], ['added', linkedClaim()], ['deleted', linkedClaim()]],
    ['that goes when it has been populated costs nothing', [], ['added', done], ['deleted', done]],
    [
      'that says nothing new costs nothing',
      [],
      ['added', waiting],
      ['updated', { ...waiting, metadata: { ...waiting.metadata, labels: { a: 'b' } } }],
    ],
    [
      'that asks for no data costs nothing',
      [],
      ['added', linkedClaim({ spec: { dataSourceRef: undefined as never } })],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });

  test('of a user that calls itself a copy is populated as any other', () => {
    const claim = linkedClaim({ metadata: { annotations: { 'longshore.dev/populates': 'prod/other/uid-other' } } });
    expect(routesAfter(['added', claim])).toEqual([toClaim]);
  });
});

describe('what we write ourselves brings no message:', () => {
  const begun = [linkedClaim(), snapshotLink(), linkGrant()];
  const handed = stage.handed();

  test.each<[string, Seen[], Seen]>([
    ['the hold', [], ['updated', waiting]],
    ['what is said', [], ['updated', saying('NotGranted', linkedClaim)]],
    ['the copy of the content', seen(waiting), ['added', contentCopy()]],
    [
      'what the snapshot controller puts on that',
      seen(waiting, contentCopy()),
      ['updated', contentCopy({ finalizers: ['x/y'] })],
    ],
    ['the copy of the snapshot', seen(waiting), ['added', snapshotCopy({})]],
    [
      'what the snapshot controller puts on that first',
      seen(waiting, snapshotCopy({})),
      ['updated', snapshotCopy({ readyToUse: false }, { finalizers: ['x/y'] })],
    ],
    ['the prime claim', seen(waiting), ['added', prime()]],
    [
      'what the provisioner puts on that',
      seen(waiting, prime()),
      ['updated', prime({ annotations: { ...stage.forClaim, 'volume.kubernetes.io/storage-provisioner': 'x' } })],
    ],
    ['the volume', seen(waiting, prime()), ['added', stage.volume()]],
    ['the volume that is handed over', seen(waiting, prime(), stage.volume()), ['updated', handed]],
    ['that the data is there', seen(bound()), ['updated', bound([stage.said('True', 'Populated')])]],
    ['the prime claim going', seen(bound(), primeBound()), ['updated', stage.primeGoing()]],
    ['the prime claim gone', seen(bound(), stage.primeGoing()), ['deleted', stage.primeGoing([])]],
    ['the copy of the snapshot gone', seen(bound(), snapshotCopy()), ['deleted', snapshotCopy()]],
    ['the copy of the content gone', seen(bound(), contentCopy()), ['deleted', contentCopy()]],
    ['the hold let go', seen(bound([stage.said('True', 'Populated')])), ['updated', done]],
    ['the node that is taken off', seen(onNode('node-1')), ['updated', onNode()]],
    [
      'the node that is handed to the prime claim',
      seen(onNode('node-2'), prime()),
      ['updated', prime({ annotations: { ...stage.forClaim, [stage.selectedNode]: 'node-2' } })],
    ],
    [
      'the volume of a prime claim that is secured',
      seen(waiting, primeBound()),
      ['updated', stage.stray({ persistentVolumeReclaimPolicy: 'Retain' })],
    ],
  ])('%s', (_, before, change) => {
    expect(routesAfter(...seen(...begun), ...before, change)).toEqual([]);
  });
});
