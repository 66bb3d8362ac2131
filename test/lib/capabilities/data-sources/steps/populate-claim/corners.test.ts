import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { claimGrant, linkedClaim, referringClaim, storageClass } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, successes, summaryOf, writeOf } from '../../populate-table.ts';

const { agreed, bound, handed, held, now, populated, prime, snapshotCopy, stages } = stage;

test('nothing that stands there is written to but the claim, the volume and the copies', () => {
  for (const world of Object.values(stages)) {
    const slots = settle(world).writes.map((write) => write.split(' ')[1]);
    expect(['claim', 'contentCopy', 'snapshotCopy', 'prime', 'volume']).toEqual(expect.arrayContaining(slots));
  }
});

test('what was said on the way gives way to what is so', () => {
  for (const reason of ['NotGranted', 'SnapshotsOff', 'Failed', 'WriteRefused']) {
    const { world } = settle(populated({ claim: bound([stage.said('False', reason)]) }));
    expect(world.claim?.status?.conditions).toMatchObject([{ status: 'True', reason: 'Populated' }]);
  }
});

describe('success is counted', () => {
  test.each([
    ['by the kind that was asked for', bound(), { StorageClass: 'fast', SourceKind: 'VolumeSnapshotLink' }],
    [
      'as of a snapshot, where it was named itself',
      referringClaim({ spec: { volumeName: 'pvc-uid-prime' }, status: { phase: 'Bound' } }),
      { StorageClass: 'fast', SourceKind: 'VolumeSnapshot' },
    ],
  ])('%s', (_, claim, dimensions) => {
    expect(writeOf(decide(populated({ claim }), now)).measure).toEqual([
      { name: successes, unit: 'Count', value: 1, dimensions },
    ]);
  });
});

describe('a reference that the policy has kept', () => {
  test('is followed in the same way', () => {
    const world = agreed({ claim: referringClaim(), link: undefined, grants: [claimGrant()] });
    const { writes, decision } = settle(world);
    expect([writes, summaryOf(decision)]).toEqual([
      ['patch claim', 'create contentCopy', 'create snapshotCopy'],
      'wait CopyNotReady',
    ]);
  });
});

describe('what is not ours is left alone:', () => {
  test.each([
    ['a claim that is gone', undefined, 'done ClaimGone'],
    ['a claim without a source', linkedClaim({ spec: { dataSourceRef: undefined as never } }), 'done NotOurs'],
    [
      'a claim that its provisioner restores',
      linkedClaim({
        spec: { dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'a' } },
      }),
      'done NotOurs',
    ],
    ['a prime claim', prime(), 'done NotOurs'],
  ])('%s', (_, claim, answer) => {
    expect(summaryOf(decide(agreed({ claim }), now))).toBe(answer);
  });

  test("a user's claim that calls itself a copy is none", () => {
    const claim = linkedClaim({ metadata: { annotations: { 'longshore.dev/populates': 'a/b/c' } } });
    expect(summaryOf(decide(agreed({ claim }), now))).toBe('patch claim');
  });
});

describe('consent that was read too long ago', () => {
  const old = { readAt: stage.later(-6) };

  test.each(['asked', 'held', 'contentMade', 'snapshotReady', 'primeBound'] as const)(
    'is read again before anything is made of it: %s',
    (name) => {
      expect(decide({ ...stages[name], ...old }, now)).toEqual({ do: 'reread', reason: 'ConsentTooOld' });
      expect(summaryOf(decide({ ...stages[name], readAt: stage.later(-5) }, now))).not.toContain('reread');
    },
  );

  test.each([
    ['to wait', stages.primeMade, 'wait Populating'],
    ['to wait for the claim to be bound', stages.handedOver, 'wait ClaimNotBound'],
    ['to finish', populated(), 'patch claim status'],
    ['to clear up', { ...stages.primeMade, claim: held({ metadata: stage.deleting }) }, 'delete prime'],
  ])('is good enough %s', (_, world, answer) => {
    expect(summaryOf(decide({ ...world, ...old }, now))).toBe(answer);
  });
});

test('what the snapshot controller says of the copy is told', () => {
  const failing = snapshotCopy({ readyToUse: false, error: { message: 'no such handle' } });
  const { writes, decision, world } = settle({ ...stages.snapshotReady, snapshotCopy: failing });
  expect([writes, summaryOf(decision)]).toEqual([['patch claim status'], 'wait CopyNotReady']);
  expect(world.claim?.status?.conditions).toMatchObject([{ status: 'False', message: 'no such handle' }]);
});

test('a class may retain what it makes: the policy is that of the user from then on', () => {
  const world = { ...stages.primeBound, volume: stage.volume({ persistentVolumeReclaimPolicy: 'Retain' }) };
  const { writes } = settle(world);
  expect(writes).toEqual(['patch volume']);
  const rest = settle(
    populated({ volume: handed({ persistentVolumeReclaimPolicy: 'Retain' }), storageClass: storageClass() }),
  );
  expect(rest.world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
});
