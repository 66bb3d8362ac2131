import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import type { PopulatingWorld } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import type { ReferenceGrant } from '../../../../../../lib/kubernetes/objects.ts';
import {
  claimGrant,
  linkedClaim,
  linkGrant,
  referringClaim,
  snapshotContent,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf, writeOf } from '../../populate-table.ts';

const { agreed, now } = stage;
const referring = (world: Partial<PopulatingWorld> = {}) =>
  agreed({ claim: referringClaim(), link: undefined, grants: [claimGrant()], ...world });
const ways = {
  link: { start: agreed, grant: linkGrant, from: { group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink' } },
  claim: { start: referring, grant: claimGrant, from: { group: '', kind: 'PersistentVolumeClaim' } },
};
const to = { group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot' };

describe.each(['link', 'claim'] as const)('a snapshot that a %s names is used', (way) => {
  const { start, grant } = ways[way];
  const from = { ...ways[way].from, namespace: 'test' };
  const withGrants = (...grants: ReferenceGrant[]) => summaryOf(decide(start({ grants }), now));
  const other = way === 'link' ? claimGrant : linkGrant;

  test.each<[string, ReferenceGrant[]]>([
    ['with a grant that names it', [grant()]],
    ['with a grant for all snapshots', [grant({ spec: { to: [to] } })]],
    ['with a grant whose name is empty', [grant({ spec: { to: [{ ...to, name: '' }] } })]],
    ['with one of many grants', [grant({ spec: {} }), other(), grant({ metadata: { name: 'second' } })]],
    [
      'with one of many entries',
      [
        grant({
          spec: {
            from: [{ ...from, namespace: 'a' }, from],
            to: [
              { ...to, name: 'a' },
              { ...to, name: 'backup' },
            ],
          },
        }),
      ],
    ],
  ])('%s', (_, grants) => {
    expect(withGrants(...grants)).toBe('patch claim');
  });

  test.each<[string, ReferenceGrant[]]>([
    ['without a grant', []],
    ['for another group of who asks', [grant({ spec: { from: [{ ...from, group: 'example.com' }] } })]],
    ['with a version in the group of who asks', [grant({ spec: { from: [{ ...from, group: `${from.group}/v1` }] } })]],
    ['for another kind of who asks', [grant({ spec: { from: [{ ...from, kind: 'Pod' }] } })]],
    ['for the other way', [other()]],
    ['for another namespace', [grant({ spec: { from: [{ ...from, namespace: 'test-2' }] } })]],
    ['for all namespaces, of which there is no such thing', [grant({ spec: { from: [{ ...from, namespace: '*' }] } })]],
    ['for another group', [grant({ spec: { to: [{ ...to, group: '', name: 'backup' }] } })]],
    ['for another kind', [grant({ spec: { to: [{ ...to, kind: 'VolumeSnapshotContent', name: 'backup' }] } })]],
    ['for another name', [grant({ spec: { to: [{ ...to, name: 'backup-2' }] } })]],
    ['by one that is being deleted', [grant({ metadata: stage.deleting })]],
    ['by one that says nothing', [{ ...grant(), spec: {} }]],
    [
      'by two that each lack one half',
      [grant({ spec: { from: [{ ...from, namespace: 'a' }] } }), grant({ spec: { to: [{ ...to, name: 'a' }] } })],
    ],
  ])('but not %s', (_, grants) => {
    const { writes, decision } = settle(start({ grants }));
    expect([writes, summaryOf(decision)]).toEqual([['patch claim status'], 'wait NotGranted']);
  });

  test('but not where grants cannot be served', () => {
    expect(summaryOf(settle(start({ grants: undefined })).decision)).toBe('wait NotGranted');
  });

  test('and where the cluster lacks the kind, nobody is asked for a grant that he cannot create', () => {
    const { world, decision } = settle(start({ grants: [], areGrantsLacking: true }));
    const message = conditionOf(world.claim)?.message;
    expect([summaryOf(decision), message]).toEqual([
      'wait NotGranted',
      'a ReferenceGrant in namespace prod must allow this, but the cluster does not have the kind ReferenceGrant (group gateway.networking.k8s.io): an administrator of the cluster can add it with longshore install, or with the CRDs of the Gateway API',
    ]);
  });
});

describe('who has no grant does not learn', () => {
  const wishes = [agreed({ grants: [] }), referring({ grants: [] })];
  const situations: [string, Partial<PopulatingWorld>][] = [
    ['whether there is such a snapshot', { snapshot: undefined, content: undefined }],
    ['whether it is being deleted', { snapshot: volumeSnapshot({ metadata: stage.deleting }) }],
    ['whether it is ready', { snapshot: volumeSnapshot({ status: { readyToUse: false } }) }],
    ['what is wrong with it', { snapshot: volumeSnapshot({ status: { error: { message: 'secret' } } }) }],
    ['how large it is', { snapshot: volumeSnapshot({ status: { restoreSize: '5Ti' } }) }],
    ['what mode it has', { content: snapshotContent({ spec: { sourceVolumeMode: 'Block' } }) }],
    ['of which driver it is', { content: snapshotContent({ spec: { driver: 'secret.example.com' } }) }],
    ['whose the content is', { content: snapshotContent({ spec: { volumeSnapshotRef: {} } }) }],
    ['whether the class would do', { storageClass: storageClass({ provisioner: 'other' }) }],
    ['whether the class is there', { storageClass: undefined }],
  ];

  // What is counted is told to operators alone.
  const toldBy = (world: (typeof wishes)[number]) => ({ ...writeOf(decide(world, now)), measure: undefined });

  test.each(situations)('%s', (_, change) => {
    for (const wish of wishes) {
      const before = settle(wish);
      const after = settle({ ...wish, ...change });
      expect(after.writes).toEqual(before.writes);
      expect(after.decision).toEqual(before.decision);
      expect(after.world.claim).toEqual(before.world.claim);
      expect(toldBy({ ...wish, ...change })).toEqual(toldBy(wish));
    }
  });

  test('by what becomes of copies either', () => {
    for (const name of ['contentMade', 'snapshotReady', 'primeMade'] as const) {
      const world = { ...stage.stages[name], grants: [] };
      const gone = { ...world, snapshot: undefined, content: undefined };
      expect(settle(gone).writes).toEqual(settle(world).writes);
      expect(settle(gone).world.claim).toEqual(settle(world).world.claim);
    }
  });
});

describe('in its own namespace', () => {
  const own = {
    wanted: { namespace: 'test', name: 'backup' },
    grants: [],
    snapshot: volumeSnapshot({ metadata: { namespace: 'test' } }),
    content: snapshotContent({
      spec: { volumeSnapshotRef: { namespace: 'test', name: 'backup', uid: 'uid-snapshot' } },
    }),
  };

  test.each([{ name: 'backup' }, { name: 'backup', namespace: '' }])(
    'a link that names no namespace needs no grant: %j',
    (source) => {
      const link = { ...snapshotLink(), spec: { source } };
      expect(settle(agreed({ ...own, link })).writes.slice(0, 2)).toEqual(['patch claim', 'create contentCopy']);
    },
  );

  test.each<[string, PopulatingWorld, ReferenceGrant]>([
    [
      'a link that names it',
      agreed({ ...own, link: snapshotLink({ spec: { source: { namespace: 'test', name: 'backup' } } }) }),
      linkGrant({ metadata: { namespace: 'test' } }),
    ],
    [
      'a claim that names it',
      referring({ ...own, claim: referringClaim({}, 'test.backup') }),
      claimGrant({ metadata: { namespace: 'test' } }),
    ],
  ])('%s needs one, and is told so', (_, world, grant) => {
    const { world: after, decision } = settle(world);
    expect(summaryOf(decision)).toBe('wait NotGranted');
    expect(conditionOf(after.claim)?.message).toContain('which is needed because a namespace is named');
    expect(summaryOf(decide({ ...world, grants: [grant] }, now))).toBe('patch claim');
  });
});

describe('consent that is taken back', () => {
  test('stops nothing any more once the volume is handed over', () => {
    for (const world of [stage.stages.handedOver, stage.populated()]) {
      expect(settle({ ...world, grants: [] }).writes).toEqual(settle(world).writes);
    }
  });

  test('and is given again after each write finds nothing of what it stopped', () => {
    const start = { ...stage.stages.primeMade, grants: [] };
    const { world } = settle(start);
    const claim = world.claim ?? linkedClaim();
    expect(claim.metadata.finalizers).not.toContain(stage.hold);
    expect([world.snapshotCopy, world.contentCopy]).toEqual([undefined, undefined]);
    // The prime claim is still there for a moment.
    const again = settle({ ...agreed({ claim }), prime: world.prime });
    expect(again.writes).toEqual(['patch claim status']);
    expect(summaryOf(again.decision)).toBe('wait StartingOver');
  });
});
