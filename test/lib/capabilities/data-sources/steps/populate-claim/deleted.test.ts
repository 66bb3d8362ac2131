import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import type { PopulatingWorld } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import { protection } from '../../../../../support/builders.ts';
import { linkedClaim } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf, tellingOf, testTable } from '../../populate-table.ts';

const { bound, contentCopy, deletionTimestamp, handed, held, now, populated, snapshotCopy, stages } = stage;
const going = held({ metadata: { deletionTimestamp } });
/** What is read of a claim that goes. */
const of = ({ contentCopy, snapshotCopy, prime, volume }: PopulatingWorld, claim = going): PopulatingWorld => ({
  claim,
  contentCopy,
  snapshotCopy,
  prime,
  volume,
  readAt: now,
});
const all = ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy', 'patch claim'];
/** A class that retains is overruled once the prime claim is on its way, so that the volume is given to nobody any more. */
const allWithPolicy = all.toSpliced(1, 0, 'patch volume');

describe('a claim that is deleted takes with it what was made for it:', () => {
  test.each<[string, PopulatingWorld, string[]]>([
    ['nothing yet', of(stages.held), ['patch claim']],
    ['the content', of(stages.contentMade), ['delete contentCopy', 'patch claim']],
    ['the snapshot', of(stages.snapshotMade), ['delete snapshotCopy', 'delete contentCopy', 'patch claim']],
    ['the prime claim', of(stages.primeMade), all],
    ['its volume, which the cluster deletes with it', of(stages.primeBound), all],
    [
      'its volume, which its class would retain',
      of({ ...stages.primeBound, volume: stage.volume({ persistentVolumeReclaimPolicy: 'Retain' }) }),
      allWithPolicy,
    ],
    [
      'its volume, of a policy that is no more',
      of({ ...stages.primeBound, volume: stage.volume({ persistentVolumeReclaimPolicy: 'Recycle' }) }),
      allWithPolicy,
    ],
    ['all but the volume that was handed over', of(stages.handedOver), all],
    ['all but the volume that it has', populated({ claim: bound([], { deletionTimestamp }) }), all],
    [
      'what is left',
      of({ ...stages.primeMade, prime: undefined, contentCopy: undefined }),
      ['delete snapshotCopy', 'patch claim'],
    ],
  ])('%s', (_, world, expected) => {
    const { writes, decision } = settle(world);
    expect(writes).toEqual(expected);
    expect(summaryOf(decision)).toBe('done Released');
  });

  testTable([
    {
      situation: 'a volume keeps the policy of its class until its prime claim is on its way',
      world: of({
        ...stages.primeBound,
        volume: stage.volume({ persistentVolumeReclaimPolicy: 'Retain' }),
      }),
      write: 'delete prime',
      next: 'patch volume',
    },
    {
      situation: 'and is let go before that is gone, as nobody would find it again',
      world: of({
        ...stages.primeBound,
        prime: stage.primeGoing(),
        volume: stage.volume({ persistentVolumeReclaimPolicy: 'Retain' }),
      }),
      write: 'patch volume',
      exactly: {
        metadata: { annotations: { 'longshore.dev/let-go': 'yes' } },
        spec: { persistentVolumeReclaimPolicy: 'Delete' },
      },
      next: 'patch prime',
    },
    {
      situation: 'a volume that is not the prime claim’s is not touched',
      world: of({
        ...stages.primeBound,
        volume: stage.volume({ persistentVolumeReclaimPolicy: 'Retain', claimRef: { ...stage.toPrime, uid: 'other' } }),
      }),
      write: 'delete prime',
      next: 'patch prime',
    },
    {
      situation: 'the prime claim is let go though the cluster holds it a moment longer',
      world: of({ ...stages.primeMade, prime: stage.primeGoing() }),
      write: 'patch prime',
      exactly: { metadata: { finalizers: [protection] } },
      next: 'delete snapshotCopy',
    },
    {
      situation: 'what is going already is not deleted once more',
      world: of({
        ...stages.snapshotReady,
        snapshotCopy: snapshotCopy({}, { deletionTimestamp, finalizers: ['snapshot.storage.kubernetes.io/x'] }),
      }),
      write: 'delete contentCopy',
      next: 'patch claim',
    },
    {
      situation: "somebody else's finalizers stay",
      world: of(
        stages.held,
        held({ metadata: { deletionTimestamp, finalizers: ['example.com/audit', stage.hold, protection] } }),
      ),
      write: 'patch claim',
      exactly: { metadata: { finalizers: ['example.com/audit', protection] } },
      next: 'done Released',
    },
    {
      situation: 'a claim that was never held goes by itself',
      world: of(stages.asked, linkedClaim({ metadata: { deletionTimestamp } })),
      answer: 'done Released',
    },
  ]);

  test('and nothing is told of it', () => {
    for (const world of [of(stages.primeBound), of(stages.handedOver)]) {
      expect(settle(world).writes).not.toContain('patch claim status');
    }
  });

  test('and the claim goes last, whatever was begun', () => {
    for (const world of Object.values(stages)) {
      const { writes } = settle(of(world, { ...going, metadata: { ...going.metadata, deletionTimestamp } }));
      expect(writes.slice(0, -1)).not.toContain('patch claim');
      expect(writes.at(-1)).toBe('patch claim');
    }
  });

  test('and what has gone wrong before is no hindrance', () => {
    for (const reason of ['OtherVolumeMatches', 'Failed', 'NotGranted', 'SnapshotsOff']) {
      const claim = held({
        metadata: { deletionTimestamp },
        status: { phase: 'Pending', conditions: [stage.said('False', reason)] },
      });
      expect(settle(of(stages.primeMade, claim)).writes).toEqual(all);
    }
  });
});

describe('a claim that was given another volume', () => {
  const elsewhere = held({ spec: { volumeName: 'volume-9' }, status: { phase: 'Bound' } });
  const other = stage.volume({ claimRef: stage.toClaim }, { name: 'volume-9', uid: 'uid-9', annotations: {} });

  test.each<[string, PopulatingWorld, string[]]>([
    [
      'before anything was begun',
      of(
        { ...stages.asked, volume: other },
        { ...elsewhere, metadata: { ...elsewhere.metadata, finalizers: [protection] } },
      ),
      ['patch claim status'],
    ],
    ['while it was held', of({ ...stages.held, volume: other }, elsewhere), ['patch claim', 'patch claim status']],
    [
      'while the snapshot was copied',
      of({ ...stages.snapshotMade, volume: other }, elsewhere),
      ['delete snapshotCopy', 'delete contentCopy', 'patch claim', 'patch claim status'],
    ],
    [
      'while the provisioner was at work',
      of({ ...stages.primeMade, volume: other }, elsewhere),
      [...all, 'patch claim status'],
    ],
    ['when its own was made', of(stages.primeBound, elsewhere), [...all, 'patch claim status']],
  ])('%s says so, when nothing of ours is left', (_, world, expected) => {
    const { writes, decision, world: after } = settle(world);
    expect(writes).toEqual(expected);
    expect(summaryOf(decision)).toBe('done BoundToOtherVolume');
    expect(conditionOf(after.claim)).toMatchObject({ status: 'Unknown', reason: 'BoundToOtherVolume' });
    expect(conditionOf(after.claim)?.message).toContain('volume-9');
    expect(settle(after).writes).toEqual([]);
  });

  test('is told to leave out what its user wrote, and not what the cluster has written', () => {
    const adviceFor = (claim: typeof elsewhere) =>
      conditionOf(settle(of({ ...stages.asked, volume: other }, claim)).world.claim)?.message;
    expect(adviceFor(elsewhere)).toContain('create another claim without spec.volumeName');
    const annotations = { 'pv.kubernetes.io/bound-by-controller': 'yes' };
    const found = adviceFor({ ...elsewhere, metadata: { ...elsewhere.metadata, annotations } });
    expect(found).toContain('create another claim without a selector, with the policies of manifests/admission');
    expect(found).not.toContain('spec.volumeName');
  });

  test('has its own let go, if its class would retain that', () => {
    const volume = stage.volume({ persistentVolumeReclaimPolicy: 'Retain' });
    expect(settle(of({ ...stages.primeBound, volume }, elsewhere)).writes).toEqual([
      ...allWithPolicy,
      'patch claim status',
    ]);
  });

  test('whose volume is never written to', () => {
    for (const persistentVolumeReclaimPolicy of ['Retain', 'Delete'] as const) {
      const theirs = { ...other, spec: { ...other.spec, persistentVolumeReclaimPolicy } };
      expect(settle(of({ ...stages.primeMade, volume: theirs }, elsewhere)).writes).not.toContain('patch volume');
    }
  });

  test('and was deleted says nothing more', () => {
    const claim = { ...elsewhere, metadata: { ...elsewhere.metadata, deletionTimestamp } };
    const { writes, decision } = settle(of({ ...stages.primeMade, volume: other }, claim));
    expect([writes, summaryOf(decision)]).toEqual([all, 'done Released']);
  });
});

describe('a claim that was given another volume in the moment in which its own came', () => {
  const elsewhere = held({ spec: { volumeName: 'volume-9' }, status: { phase: 'Bound' } });
  const both = { ...stages.handedOver, claim: elsewhere };
  const retained = { ...both, volume: handed({ persistentVolumeReclaimPolicy: 'Retain' }) };

  test('says so, and its own volume goes', () => {
    const { writes, decision, world } = settle(of(retained, elsewhere));
    expect(writes).toEqual(['patch volume', ...all.slice(0, -1), 'patch claim status', 'patch claim']);
    expect(summaryOf(decision)).toBe('done BoundToOtherVolume');
    expect(conditionOf(world.claim)).toMatchObject({ status: 'False', reason: 'BoundToOtherVolume' });
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test('tells its user by a Warning, and it is counted', () => {
    const world = of(both, elsewhere);
    const { announce, measure } = tellingOf(decide, world, decide(world, now));
    expect(announce ?? []).toMatchObject([{ type: 'Warning', reason: 'BoundToOtherVolume' }]);
    expect(measure).toHaveLength(1);
  });

  test('says the same when it is looked at once more', () => {
    const { world } = settle(of(both, elsewhere));
    // Without a prime claim the volume that the claim has is read.
    const theirs = stage.volume({ claimRef: stage.toClaim }, { name: 'volume-9', annotations: {} });
    const again = settle({ claim: world.claim, volume: theirs, readAt: now });
    expect(again.writes).toEqual([]);
  });

  test('lets its own volume go as well when it is deleted', () => {
    const claim = { ...elsewhere, metadata: { ...elsewhere.metadata, deletionTimestamp } };
    const { writes } = settle(of(retained, claim));
    expect(writes).toEqual(['patch volume', ...all]);
  });
});

test('a claim that has lost its volume is not told that it was made from something else', () => {
  const claim = bound([stage.said('True', 'Populated', 'restored from VolumeSnapshot prod/backup')], {
    finalizers: [],
  });
  const lost = { ...claim, status: { ...claim.status, phase: 'Lost' as const } };
  const { world } = settle({ claim: lost, readAt: now });
  expect(conditionOf(world.claim)?.message).not.toContain('was not created from its snapshot');
});

test('a claim whose hold somebody has taken off is held again', () => {
  for (const name of ['contentMade', 'snapshotReady'] as const) {
    expect(settle({ ...stages[name], claim: linkedClaim() }).writes[0]).toBe('patch claim');
  }
});

test('also while the provisioner is at work', () => {
  expect(settle({ ...stages.primeMade, claim: linkedClaim() }).writes).toEqual(['patch claim']);
});

test('what was not read in this run is not said to be missing', () => {
  // Somebody has taken the finalizers off the prime claim, so it is gone at once; the class was not read while it was there.
  const prime = stage.prime({ finalizers: [] });
  const other = contentCopy({
    annotations: { ...stage.forClaim, 'longshore.dev/copy-of': 'prod/backup/uid-of-another' },
  });
  const read = { hadPrime: true, storageClass: undefined };
  const { writes, decision } = settle({ ...stages.primeMade, ...read, prime, contentCopy: other });
  expect([writes, summaryOf(decision)]).toEqual([['delete prime'], 'reread PrimeGone']);
});
