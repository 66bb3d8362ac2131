import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import { matchClaim } from '../../../../../../lib/capabilities/transfers/steps/match-claim/step.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim, Condition } from '../../../../../../lib/kubernetes/objects.ts';
import { settings } from '../../../../../support/builders.ts';
import { fold, settle, summaryOf, testTable, transferredOf, writeOf } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const { now } = offer;
const off: TransferWorld = { ...offer.asked, settings: settings('transfersByAnnotation') };
const resizing: Condition = {
  type: 'Resizing',
  status: 'True',
  reason: '',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const later = new Date(now.getTime() + 60_000);

describe('what a claim is told', () => {
  const told = writeOf(decide(off, now));

  test('goes to its status, with an Event that says the same', () => {
    expect(told).toMatchObject({ verb: 'patch', slot: 'source', subresource: 'status' });
    expect(told.announce).toEqual([
      { regarding: off.source, type: 'Normal', reason: 'TransfersOff', message: 'it is off' },
    ]);
    expect(told).toMatchObject({
      body: {
        status: {
          conditions: [
            {
              type: 'Transferred',
              status: 'False',
              reason: 'TransfersOff',
              message: 'it is off',
              lastTransitionTime: '2026-03-01T12:00:00Z',
            },
          ],
        },
      },
    });
  });

  test('stands beside what others say of it', () => {
    const source: Claim = { ...offer.offered(), status: { phase: 'Bound', conditions: [resizing] } };
    const { world } = settle(decide, { ...off, source });
    expect(world.source?.status?.conditions).toEqual([resizing, expect.objectContaining({ reason: 'TransfersOff' })]);
  });

  test('keeps its time when only the reason changes', () => {
    const first = fold(off, told);
    const volume = offer.plain({}, { deletionTimestamp: offer.longAgo });
    const second = fold(first, writeOf(decide({ ...first, volume, settings: settings() }, later)));
    expect(transferredOf(second.source)).toMatchObject({
      reason: 'VolumeDeleting',
      lastTransitionTime: '2026-03-01T12:00:00Z',
    });
  });

  test('that needs the user is a warning, and is counted', () => {
    const world = { ...offer.asked, source: offer.offered({ annotations: { transferRequest: 'copy' } }) };
    const { announce, measure } = writeOf(decide(world, now));
    expect(announce).toEqual([expect.objectContaining({ type: 'Warning', reason: 'Invalid' })]);
    expect(measure).toEqual([
      {
        name: 'TransfersFailed',
        unit: 'Count',
        value: 1,
        dimensions: { Transfer: 'ByAnnotation', Reason: 'Invalid' },
      },
    ]);
  });

  test('that ends by itself is not counted as a failure', () => {
    expect(told.measure ?? []).toEqual([]);
  });

  test('is taken back when nobody offers it any more, and what others say stays', () => {
    const source: Claim = { ...offer.offered(), status: { phase: 'Bound', conditions: [resizing] } };
    const { world } = settle(decide, { ...off, source });
    const unoffered = { ...(world.source as Claim), metadata: offer.offered({ annotations: {} }).metadata };
    const end = settle(decide, { ...world, source: unoffered });
    expect([end.writes, summaryOf(end.decision)]).toEqual([['patch source status'], 'done NoTransfer']);
    expect(end.world.source?.status?.conditions).toEqual([resizing]);
  });

  test('is contradicted when a target that waited has its volume, before the record of the offer goes', () => {
    const waited: Condition = { ...resizing, type: 'Transferred', status: 'False', reason: 'NotOffered' };
    const target: Claim = { ...offer.complete(), status: { phase: 'Bound', conditions: [waited] } };
    const { writes, world } = settle(decide, { ...offer.marked, target });
    expect(writes).toEqual(['patch target status', 'patch volume']);
    expect(transferredOf(world.target)).toMatchObject({ status: 'True', reason: 'Complete' });
  });
});

describe('what the server refuses is said, and not tried again', () => {
  const refused = { slot: 'volume', message: 'denied by policy "volumes"' } as const;
  testTable(decide, [
    {
      situation: 'of the fence',
      world: { ...offer.asked, refused: { slot: 'source', message: 'denied' } },
      says: 'reject WriteRefused',
      saying: 'the source cannot be changed: denied',
      on: ['source'],
    },
    {
      situation: 'of the volume, to both who agree',
      world: { ...offer.agreed, refused },
      says: 'reject WriteRefused',
      saying: 'the volume cannot be changed: denied by policy "volumes"',
      on: ['source', 'target'],
    },
  ]);
});

describe('a failure of the work itself', () => {
  test('is told to both, and once', () => {
    const { world, writes, decision } = settle(
      (given, at) => matchClaim.decideFailed(given, 'no answer; given up after 8 attempts', at),
      offer.agreed,
    );
    expect([writes, summaryOf(decision)]).toEqual([['patch source status', 'patch target status'], 'reject Failed']);
    for (const claim of [world.source, world.target]) {
      expect(transferredOf(claim)).toMatchObject({ reason: 'Failed', message: expect.stringContaining('8 attempts') });
    }
  });

  test('of a claim that is gone is told to nobody', () => {
    expect(matchClaim.decideFailed({ pods: [], readAt: now }, 'no answer', now)).toMatchObject({ reason: 'Failed' });
  });
});

test('what happens is told in Events on what it happens to', () => {
  const told = (world: TransferWorld) =>
    (writeOf(decide(world, now)).announce ?? []).map(({ regarding, type, reason }) =>
      [regarding.kind, type, reason].join(' '),
    );
  const withdrawn = offer.pending({ annotations: {} });
  expect(told(offer.withSureFence)).toEqual(['PersistentVolume Normal TransferPending']);
  expect(told(offer.secured)).toEqual(['PersistentVolumeClaim Normal TransferPending']);
  expect(told(offer.accepted)).toEqual(['PersistentVolumeClaim Normal TransferPending']);
  expect(told(offer.bound)).toEqual(['PersistentVolumeClaim Normal TransferComplete']);
  expect(told(offer.marked)).toEqual(['PersistentVolume Normal TransferComplete']);
  expect(told({ ...offer.agreed, source: withdrawn })).toEqual(['PersistentVolume Normal TransferWithdrawn']);
  expect(told({ ...offer.agreed, ...offer.going, source: offer.letGo({ annotations: {} }) })).toEqual([
    'PersistentVolume Warning TransferWithdrawn',
    'PersistentVolumeClaim Warning TransferWithdrawn',
  ]);
  expect(told({ ...offer.agreed, source: undefined })).toEqual(['PersistentVolume Warning SourceVanished']);
});

test('what is counted is counted with the write that makes it true', () => {
  const counted = (world: TransferWorld) => writeOf(decide(world, now)).measure ?? [];
  const Transfer = 'ByAnnotation';
  const one = { unit: 'Count', value: 1, dimensions: { Transfer } };
  expect(counted(offer.withSureFence)).toEqual([{ name: 'TransfersStarted', ...one }]);
  expect(counted(offer.marked)).toEqual([
    { name: 'TransfersCompleted', ...one },
    // From the release on, which came after the acceptance: a minute.
    { name: 'TransferDuration', unit: 'Milliseconds', value: 60_000, dimensions: { Transfer } },
  ]);
  const target = offer.complete();
  const young = { ...target, metadata: { ...target.metadata, creationTimestamp: '2026-03-01T11:59:50Z' } };
  expect(counted({ ...offer.marked, target: young }).at(-1)).toMatchObject({ value: 10_000 });
  for (const world of [offer.asked, offer.withFence, offer.secured, offer.accepted, offer.moved, offer.bound]) {
    expect(counted(world)).toEqual([]);
  }
});
