import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import type { PopulatingWorld } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import { confirmationAnnotation } from '../../../../../../lib/kubernetes/namespace-consent.ts';
import {
  claimGrant,
  linkGrant,
  namespace,
  referringClaim,
  snapshotLink,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf, testTable, writeOf } from '../../populate-table.ts';

const { agreed, now, stages } = stage;
/** Made anew when everything else was there already. */
const anew = { uid: 'uid-anew', creationTimestamp: '2026-03-01T11:00:00Z' };
const confirmed = { annotations: { [confirmationAnnotation]: 'uid-anew' } };
const ways = {
  link: { start: agreed, grant: linkGrant },
  claim: {
    start: (world: Partial<PopulatingWorld> = {}) =>
      agreed({ claim: referringClaim(), link: undefined, grants: [claimGrant()], ...world }),
    grant: claimGrant,
  },
};

describe.each(['link', 'claim'] as const)('where the namespace of a %s was made anew', (way) => {
  const { start, grant } = ways[way];
  const world = (grants = [grant()]) => start({ namespace: namespace('test', anew), grants });

  test('a grant from before does not count, at any stage', () => {
    for (const name of ['asked', 'held', 'snapshotReady', 'primeMade', 'primeBound'] as const) {
      const { claim: _, link: __, grants: ___, ...rest } = stages[name];
      const { decision } = settle({ ...world(), ...rest, namespace: namespace('test', anew) });
      expect(['NotGranted', 'StartingOver']).toContain('reason' in decision ? decision.reason : '');
    }
  });

  test('a grant counts that is confirmed, or is for whoever has the name', () => {
    for (const uids of ['uid-anew', '*', 'uid-test,uid-anew']) {
      const confirming = grant({ metadata: { annotations: { [confirmationAnnotation]: uids } } });
      expect(summaryOf(decide(world([confirming]), now))).toBe('patch claim');
    }
  });

  test('a grant counts that was written since then', () => {
    const later = grant({ metadata: { creationTimestamp: anew.creationTimestamp } });
    expect(summaryOf(decide(world([later]), now))).toBe('patch claim');
  });

  test('its owner is told how it is confirmed, in the same words whether there is a grant or not', () => {
    const said = [world(), world([])].map((each) => conditionOf(settle(each).world.claim)?.message);
    expect(said[0]).toContain(`${confirmationAnnotation}: uid-anew`);
    expect(said[1]).toBe(said[0]);
  });
});

test('nothing counts for a namespace that is gone', () => {
  expect(summaryOf(settle(agreed({ namespace: undefined })).decision)).toBe('wait NotGranted');
});

describe('where the namespace of the snapshot was made anew after it was named, a claim', () => {
  const replaced = {
    sourceNamespace: namespace('prod', anew),
    snapshot: volumeSnapshot({ metadata: { creationTimestamp: '2026-03-01T11:30:00Z' } }),
  };

  testTable([
    {
      situation: 'by a link says so',
      world: agreed(replaced),
      says: 'False SourceNamespaceReplaced',
      next: 'wait',
      saying: 'VolumeSnapshotLink test/yesterday names a snapshot of namespace prod: it was written before',
    },
    {
      situation: 'that names it itself says so',
      world: ways.claim.start(replaced),
      says: 'False SourceNamespaceReplaced',
      next: 'wait',
      saying: `Confirm it with the annotation ${confirmationAnnotation}: uid-anew`,
    },
    {
      situation: 'without a grant does not learn of it',
      world: agreed({ ...replaced, grants: [] }),
      says: 'False NotGranted',
      next: 'wait',
    },
    {
      situation: 'takes back what was begun',
      world: { ...stages.primeBound, ...replaced },
      says: 'False SourceNamespaceReplaced',
      next: 'wait',
      before: ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
      afterwards: ['patch claim'],
    },
    {
      situation: 'goes on when its link is confirmed',
      world: agreed({ ...replaced, link: snapshotLink({ metadata: confirmed }) }),
      answer: 'patch claim',
    },
    {
      situation: 'goes on when it is confirmed itself',
      world: ways.claim.start({ ...replaced, claim: referringClaim({ metadata: confirmed }) }),
      answer: 'patch claim',
    },
    {
      situation: 'goes on when the snapshot was there before it was named',
      world: agreed({ sourceNamespace: namespace('prod', anew) }),
      answer: 'patch claim',
    },
  ]);
});

describe('a volume whose snapshot is gone is handed over', () => {
  const gone = { ...stages.primeBound, snapshot: undefined, content: undefined };

  test('when its namespace is the one that the copy was made in', () => {
    expect(writeOf(decide(gone, now))).toMatchObject({ slot: 'volume', body: { spec: { claimRef: stage.toClaim } } });
  });

  test.each<[string, PopulatingWorld['sourceNamespace']]>([
    ['but not by the grant of a later namespace of that name', namespace('prod', { creationTimestamp: stage.ago(1) })],
    ['nor by that of one that may be a later one', namespace('prod', { creationTimestamp: stage.ago(3) })],
    ['nor without a namespace', undefined],
  ])('%s', (_, sourceNamespace) => {
    const { writes } = settle({ ...gone, sourceNamespace });
    expect(writes[0]).toBe('delete prime');
  });

  test('in its own namespace, which is there as long as the claim is', () => {
    const link = { ...snapshotLink(), spec: { source: { name: 'backup' } } };
    const origin = { 'longshore.dev/copy-of': 'test/backup/uid-snapshot', ...stage.forClaim };
    const own = {
      link,
      wanted: { namespace: 'test', name: 'backup' },
      grants: [],
      namespace: undefined,
      sourceNamespace: undefined,
      contentCopy: stage.contentCopy({ annotations: origin }),
      prime: stage.primeBound({ annotations: origin }),
    };
    expect(writeOf(decide({ ...gone, ...own }, now))).toMatchObject({ slot: 'volume' });
  });
});
