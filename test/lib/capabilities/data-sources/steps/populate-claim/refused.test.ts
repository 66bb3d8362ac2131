import { describe, expect, test } from '@jest/globals';
import { decide, decideFailed } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import type { PopulatingWorld } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import { linkedClaim } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { conditionOf, failures, settle, summaryOf, testTable, writeOf } from '../../populate-table.ts';

type Refusal = NonNullable<PopulatingWorld['refused']>;

const { bound, held, now, populated, stages } = stage;
const refused = (world: PopulatingWorld, slot: Refusal['slot']): PopulatingWorld => ({
  ...world,
  refused: { slot, message: 'exceeded quota' },
});

describe('what the server will not have is said', () => {
  testTable([
    {
      situation: 'of the copy of the content',
      world: refused(stages.held, 'contentCopy'),
      says: 'False WriteRefused',
      next: 'reject',
      saying: 'exceeded quota',
    },
    {
      situation: 'of the copy of the snapshot',
      world: refused(stages.contentMade, 'snapshotCopy'),
      says: 'False WriteRefused',
      next: 'reject',
      saying: 'exceeded quota',
    },
    {
      situation: 'of the prime claim',
      world: refused(stages.snapshotReady, 'prime'),
      says: 'False WriteRefused',
      next: 'reject',
      saying: 'the claim by which its volume is made cannot be written: exceeded quota',
    },
    {
      situation: 'of the volume',
      world: refused(stages.primeBound, 'volume'),
      says: 'False WriteRefused',
      next: 'reject',
      saying: 'exceeded quota',
    },
    {
      situation: 'of the claim itself',
      world: refused(stages.asked, 'claim'),
      says: 'False WriteRefused',
      next: 'reject',
      saying: 'the claim itself cannot be written: exceeded quota',
    },
  ]);

  test('and it is tried again at the next look, without a word more', () => {
    const { world } = settle(refused(stages.snapshotReady, 'prime'));
    const { refused: _, ...next } = world;
    expect(summaryOf(decide(next, now))).toBe('create prime');
    expect(settle(refused(next, 'prime')).writes).toEqual([]);
  });

  test.each<[Refusal['slot'], string]>([
    ['prime', 'delete'],
    ['snapshotCopy', 'delete'],
    ['contentCopy', 'delete'],
  ])('and data that is there is not denied for a %s that cannot be cleared up', (slot) => {
    const said = stage.said('True', 'Populated', 'restored from VolumeSnapshot prod/backup');
    const { world } = settle(refused(populated({ claim: bound([said]) }), slot));
    expect(conditionOf(world.claim)).toMatchObject({ status: 'True', reason: 'Populated' });
  });

  test('nor is what is said of a claim that has another volume', () => {
    const claim = held({
      spec: { volumeName: 'volume-9' },
      status: { phase: 'Bound', conditions: [stage.said('Unknown', 'BoundToOtherVolume')] },
    });
    const { world } = settle(refused({ claim, prime: stage.prime(), readAt: now }, 'prime'));
    expect(conditionOf(world.claim)?.reason).toBe('BoundToOtherVolume');
  });
});

describe('the last failure', () => {
  const failed = (world: PopulatingWorld, at: Date) => decideFailed(world, 'no answer', at);

  testTable(
    [
      { situation: 'is said', world: stages.asked, says: 'False Failed', next: 'reject', saying: 'no answer' },
      { situation: 'is said midway', world: stages.primeMade, says: 'False Failed', next: 'reject' },
      { situation: 'is said of what is handed over', world: stages.handedOver, says: 'False Failed', next: 'reject' },
      { situation: 'is not said of data that is there', world: populated(), answer: 'reject Failed' },
      { situation: 'is not said of a claim that is gone', world: { readAt: now }, answer: 'reject Failed' },
      {
        situation: 'is not said of a claim that is not ours',
        world: { claim: stage.prime(), readAt: now },
        answer: 'reject Failed',
      },
    ],
    failed,
  );

  test('is counted as a failure', () => {
    expect(writeOf(failed(stages.asked, now)).measure).toMatchObject([{ name: failures }]);
  });

  test('does not make the attempt be repeated that took a volume which lay about', () => {
    const conditions = [stage.said('False', 'OtherVolumeMatches', 'taken')];
    const claim = linkedClaim({ status: { phase: 'Pending', conditions } });
    const { world } = settle({ ...stages.asked, claim }, failed);
    expect(settle(world).writes.filter((write) => write.startsWith('create'))).toEqual([]);
  });

  test('gives way when it works again', () => {
    const { world } = settle(stages.primeBound, failed);
    const claim = { ...bound(), status: { ...world.claim?.status, phase: 'Bound' as const } };
    const rest = settle(populated({ claim }));
    expect(conditionOf(rest.world.claim)).toMatchObject({ status: 'True', reason: 'Populated' });
  });
});
