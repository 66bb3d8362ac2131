import { describe, expect, test } from '@jest/globals';
import type { Claim, ClaimSpec, ClusterObject, Condition } from '../../../../lib/kubernetes/objects.ts';
import { claim as anyClaim } from '../../../support/builders.ts';
import { claimGrant, linkedClaim, volumeSnapshot } from '../../../support/builders-of-snapshots.ts';
import { said } from './populate-stages.ts';
import { routesAfter, routesOfList, type Seen, toChecked } from './routes-after.ts';
import { populator } from './steps/check-source/stages.ts';

/** Claims that Longshore only looks on at. */
const snapshots = 'snapshot.storage.k8s.io';
const sources = {
  snapshot: { apiGroup: snapshots, kind: 'VolumeSnapshot', name: 'backup' },
  claim: { kind: 'PersistentVolumeClaim', name: 'data' },
  other: { apiGroup: 'dumps.example.com', kind: 'Dump', name: 'monday' },
  foreign: { apiGroup: snapshots, kind: 'VolumeSnapshot', name: 'backup', namespace: 'prod' },
} satisfies Record<string, ClaimSpec['dataSourceRef']>;

function asking(
  source: keyof typeof sources,
  conditions: Condition[] = [],
  phase: 'Pending' | 'Bound' = 'Pending',
): Claim {
  const spec = { dataSourceRef: sources[source], ...(phase === 'Bound' ? { volumeName: 'volume-1' } : {}) };
  return linkedClaim({ metadata: { finalizers: [] }, spec, status: { phase, conditions } });
}

const own = { metadata: { namespace: 'test' } };
const cloned = (phase: 'Pending' | 'Bound' | 'Lost' = 'Bound') => anyClaim({ ...own, status: { phase } });

describe('what a claim waits for wakes it:', () => {
  test.each<[string, Seen[], Seen]>([
    ['its snapshot', [['added', asking('snapshot')]], ['added', volumeSnapshot(own)]],
    [
      'its snapshot that becomes ready',
      [
        ['added', asking('snapshot')],
        ['added', volumeSnapshot({ ...own, status: { readyToUse: false } })],
      ],
      ['updated', volumeSnapshot(own)],
    ],
    ['the claim that it clones', [['added', asking('claim')]], ['added', cloned()]],
    [
      'the claim that it clones, when that goes',
      [
        ['added', asking('claim')],
        ['added', cloned()],
      ],
      ['deleted', cloned()],
    ],
    [
      'the claim that it clones, when that has its volume',
      [
        ['added', asking('claim')],
        ['added', cloned('Pending')],
      ],
      ['updated', cloned()],
    ],
    [
      'the claim that it clones, when that loses it',
      [
        ['added', asking('claim')],
        ['added', cloned()],
      ],
      ['updated', cloned('Lost')],
    ],
    ['who populates', [['added', asking('other')]], ['added', populator()]],
    [
      'who populates other things, which tells that somebody does',
      [['added', asking('other')]],
      ['added', populator('a', 'B')],
    ],
    ['a grant elsewhere', [['added', asking('foreign')]], ['added', claimGrant()]],
  ])('%s', (_, before, change) => {
    expect(routesAfter(...before, change)).toEqual([toChecked]);
  });

  test('and itself, when it is bound or gets no further', () => {
    expect(routesAfter(['added', asking('claim')])).toEqual([toChecked]);
    expect(routesAfter(['added', asking('claim')], ['updated', asking('claim', [], 'Bound')])).toEqual([toChecked]);
  });

  // A write of ours that was decided before it was bound meets a conflict: so nothing older is said afterwards.
  test.each(Object.keys(sources) as (keyof typeof sources)[])(
    'and itself when it is bound, whenever it has been said that it was not: %s',
    (source) => {
      const [notYet, saying] = [asking(source), [said('Unknown', 'NotBound')]];
      const waits = asking(source, saying);
      const [bound, boundAndSaid] = [asking(source, [], 'Bound'), asking(source, saying, 'Bound')];
      expect(routesAfter(['added', notYet], ['updated', waits], ['updated', boundAndSaid])).toEqual([toChecked]);
      expect(routesAfter(['added', notYet], ['updated', boundAndSaid])).toEqual([toChecked]);
      expect(routesAfter(['added', notYet], ['updated', bound])).toEqual([toChecked]);
      expect(routesAfter(['added', waits], ['updated', boundAndSaid])).toEqual([toChecked]);
    },
  );

  test('but not what we say of it', () => {
    const waits = asking('snapshot', [said('False', 'SourceMissing')]);
    expect(routesAfter(['added', asking('snapshot')], ['updated', waits])).toEqual([]);
  });
});

describe('a volume that was made for a claim which has another one by now', () => {
  const kept = (name: string, uid?: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { claimRef: { namespace: 'test', name: 'copy', ...(uid ? { uid } : {}) } },
    status: { phase: 'Available' },
  });
  const before = ['added', asking('snapshot', [said('False', 'BoundToOtherVolume')], 'Bound')] as const;

  test('is told on the claim, also when it comes late', () => {
    expect(routesAfter([...before], ['updated', kept('pvc-uid-claim')])).toEqual([toChecked]);
  });

  test('is nobody else’s concern, and none while it is somebody’s', () => {
    expect(routesAfter([...before], ['updated', kept('pvc-uid-other')])).toEqual([]);
    expect(routesAfter([...before], ['updated', kept('pvc-uid-claim', 'uid-claim')])).toEqual([]);
  });
});

describe('a forwarder that begins anew', () => {
  const states: [string, ClusterObject][] = [
    ['is new', asking('snapshot')],
    ['waits', asking('snapshot', [said('False', 'SourceMissing')])],
    ['was bound in the meantime', asking('snapshot', [said('False', 'NotBound')], 'Bound')],
    ['could not be looked at', asking('snapshot', [said('Unknown', 'CheckFailed')], 'Bound')],
    ['may still have somebody register', asking('other', [said('Unknown', 'UnrecognizedDataSourceKind')], 'Bound')],
  ];

  test.each(states)('takes up a claim that %s', (_, claim) => {
    expect(routesOfList(claim)).toEqual([toChecked]);
  });

  test.each(['Restored', 'IgnoredByProvisioner', 'SourceGone'])('leaves one alone that says %s', (reason) => {
    expect(routesOfList(asking('snapshot', [said('True', reason)], 'Bound'))).toEqual([]);
  });
});
