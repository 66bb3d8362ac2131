import { describe, expect, test } from '@jest/globals';
import { matchTransfer } from '../../../functions/match-transfer/step.ts';
import { decide } from '../../../functions/rebind-volume/decide.ts';
import { rebindVolume } from '../../../functions/rebind-volume/step.ts';
import type { TransferWorld } from '../../../lib/transfers/world.ts';
import { approval, pod, protection, request, volume } from '../../support/builders.ts';
import * as stage from '../stages.ts';
import { settle, summaryOf, testTable } from '../table.ts';

const { now, ours } = stage;
const longAgo = '2026-03-01T11:00:00Z';
const withdrawn = (world: TransferWorld): TransferWorld => ({ ...world, request: undefined });

describe('nothing is done', () => {
  testTable(decide, [
    { situation: 'when the volume is gone', world: { pods: [], readAt: now }, answer: 'done VolumeGone' },
    {
      situation: 'when the volume is part of no transfer',
      world: { volume: volume(), pods: [], readAt: now },
      answer: 'done NoTransfer',
    },
    {
      situation: 'when the transfer is complete',
      world: { ...stage.restored, request: request({ status: { complete: true } }) },
      answer: 'done Complete',
    },
    {
      situation: 'when the target has the volume and the request is gone',
      world: withdrawn(stage.restored),
      answer: 'done NoTransfer',
    },
  ]);
});

describe('while both sides want it, the transfer is carried on from wherever it stands', () => {
  testTable(decide, [
    {
      situation: 'behind the fence the target is created',
      world: stage.withFence,
      write: 'create target',
      next: 'patch volume',
    },
    {
      situation: 'once the target stands the volume is recorded',
      world: stage.withTarget,
      write: 'patch volume',
      next: 'delete source',
    },
    {
      situation: 'with everything safe the source is deleted',
      world: stage.withRecord,
      write: 'delete source',
      next: 'wait SourceHeld',
    },
    {
      situation: 'pods that use the source are waited for',
      world: { ...stage.withRecord, pods: [pod()] },
      tells: 'wait SourceInUse',
    },
    {
      situation: 'the last step of a transfer whose record is off is to say that it is complete',
      world: { ...stage.restored, source: undefined },
      write: 'patch approval status',
      next: 'patch request status',
    },
  ]);
});

describe('after the point of no return the transfer is finished, whoever has withdrawn what', () => {
  const alone = { request: undefined, approval: undefined };
  testTable(decide, [
    {
      situation: 'a source that is held is waited for',
      world: { ...stage.deleted, ...alone },
      answer: 'wait SourceHeld',
    },
    {
      situation: 'a released source gives its volume to the target',
      world: { ...stage.released, ...alone },
      write: 'patch volume',
      body: { spec: { claimRef: { namespace: 'stage', name: 'copy', uid: 'uid-target' } } },
      next: 'patch target',
    },
    {
      situation: 'the target is touched',
      world: { ...stage.moved, ...alone },
      write: 'patch target',
      next: 'wait TargetNotBound',
    },
    {
      situation: 'the source is let go',
      world: { ...stage.bound, ...alone },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'the volume gets its policy back',
      world: { ...stage.unfenced, ...alone },
      write: 'patch volume',
      next: 'done NoTransfer',
    },
    {
      situation: 'a target that was deleted is made anew, from the volume alone when the source is gone',
      world: { ...stage.unfenced, ...alone, target: undefined },
      write: 'create target',
      body: { metadata: { namespace: 'stage', name: 'copy' }, spec: { volumeName: 'volume-1' } },
      next: 'patch volume',
    },
    {
      situation: 'a source that someone removed by force counts as released',
      world: { ...stage.released, ...alone, source: undefined },
      write: 'patch volume',
      next: 'patch target',
    },
    {
      situation: 'a claim that was made anew before the volume moved does not hold it up',
      world: { ...stage.released, ...alone, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch target',
    },
    {
      situation: 'a claim that was made anew in place of the source is left alone',
      world: { ...stage.bound, ...alone, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'done NoTransfer',
    },
  ]);
});

describe('before the point of no return a withdrawal takes everything back', () => {
  const rollBack = { 'longshore.dev/transfer-undoing': 'true' };
  const unfence = {
    metadata: { finalizers: [protection], annotations: { [ours]: null, 'longshore.dev/transfer-undoing': null } },
  };
  testTable(decide, [
    {
      situation: 'the source is marked first, so that a deletion of it that is under way is refused',
      world: withdrawn(stage.withRecord),
      write: 'patch source',
      body: { metadata: { annotations: rollBack } },
      next: 'delete target',
    },
    {
      situation: 'an approval that is gone is a withdrawal',
      world: { ...stage.withRecord, approval: undefined },
      write: 'patch source',
      body: { metadata: { annotations: rollBack } },
      next: 'delete target',
    },
    {
      situation: 'an approval that is being deleted is a withdrawal',
      world: { ...stage.withRecord, approval: approval({ metadata: { deletionTimestamp: longAgo } }) },
      write: 'patch source',
      next: 'delete target',
    },
    {
      situation: 'a request that is being deleted is a withdrawal',
      world: { ...stage.withRecord, request: request({ metadata: { deletionTimestamp: longAgo } }) },
      write: 'patch source',
      next: 'delete target',
    },
    {
      situation: 'then the target is deleted, which nothing uses yet',
      world: { ...withdrawn(stage.withRecord), source: stage.undoing() },
      write: 'delete target',
      next: 'patch volume',
    },
    {
      situation: 'then the volume gets its policy back and loses the record',
      world: { ...withdrawn(stage.withRecord), source: stage.undoing(), target: undefined },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'patch confirmed',
    },
    {
      situation: 'that there is no record is confirmed before anything follows from it',
      world: withdrawn(stage.withFence),
      write: 'patch confirmed',
      body: {},
      next: 'patch source',
    },
    {
      situation: 'a volume that has changed since it was confirmed is confirmed again',
      world: { ...withdrawn(stage.withFence), confirmed: volume({ metadata: { resourceVersion: '0' } }) },
      write: 'patch confirmed',
      next: 'patch source',
    },
    {
      situation: 'at last the source is let go, with nothing of the transfer left on it',
      world: { ...withdrawn(stage.withFence), confirmed: volume(), source: stage.undoing() },
      write: 'patch source',
      body: unfence,
      next: 'done NoTransfer',
    },
    {
      situation: 'a fence that no request stands behind is taken off',
      world: { ...withdrawn(stage.withFence), confirmed: volume() },
      write: 'patch source',
      body: { metadata: { annotations: rollBack } },
      next: 'patch source',
    },
    {
      situation: 'a target that has the volume by now is never deleted',
      world: { ...withdrawn(stage.moved), source: stage.undoing() },
      write: 'patch volume',
      next: 'patch confirmed',
    },
    {
      situation: 'a target claim of someone else is left alone',
      world: { ...withdrawn(stage.withRecord), source: stage.undoing(), target: stage.target({ annotations: {} }) },
      write: 'patch volume',
      next: 'patch confirmed',
    },
    {
      situation: 'a roll-back that has begun goes on, even when both sides want the transfer again',
      world: { ...stage.withRecord, source: stage.undoing() },
      write: 'delete target',
      next: 'patch volume',
    },
    {
      situation: 'a source that its owner deletes while it is rolled back is let go all the same',
      world: {
        ...withdrawn(stage.withFence),
        confirmed: volume(),
        source: stage.undoing({ deletionTimestamp: longAgo }),
      },
      write: 'patch source',
      body: unfence,
      next: 'done NoTransfer',
    },
  ]);
});

test('a withdrawal at its latest moment leaves source and volume as they were', () => {
  const { writes, world } = settle(decide, withdrawn(stage.withRecord));
  expect(writes).toEqual(['patch source', 'delete target', 'patch volume', 'patch confirmed', 'patch source']);
  expect(world.source?.metadata).toMatchObject({ finalizers: [protection], annotations: {} });
  expect(world.volume?.metadata.annotations).toEqual({});
  expect(world.volume?.spec).toEqual(volume().spec);
  expect(world.target?.metadata.deletionTimestamp).toBeDefined();
});

test('after a roll-back it is for the request to begin again, and not for the volume', () => {
  const { world } = settle(decide, withdrawn(stage.withRecord));
  const again = { ...world, request: request({ metadata: { uid: 'uid-anew' } }), target: undefined };
  expect(decide(again, now)).toEqual({ do: 'done', reason: 'NoTransfer' });
  expect(summaryOf(matchTransfer.decide(again, now))).toBe('patch source');
});

test('a failure is told on the request, and not over the word that it is complete', () => {
  const decision = rebindVolume.decideFailed(stage.withRecord, 'denied', now);
  expect(decision).toMatchObject({ write: { slot: 'request', body: { status: { error: { message: 'denied' } } } } });
  const complete = { ...stage.restored, request: request({ status: { complete: true } }) };
  expect(rebindVolume.decideFailed(complete, 'denied', now)).toMatchObject({ do: 'reject', reason: 'Failed' });
});
