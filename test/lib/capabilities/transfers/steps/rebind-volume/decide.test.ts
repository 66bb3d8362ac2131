import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { rebindVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import { pod, protection, request, volume } from '../../../../../support/builders.ts';
import { fold, settle, summaryOf, testTable, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { now, recordOff } = stage;
const leaving = stage.fenced({ deletionTimestamp: '2026-03-01T11:00:00Z' });

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
      world: stage.restored,
      answer: 'done Complete',
    },
    {
      situation: 'when the target has the volume and the request is gone',
      world: { ...stage.restored, request: undefined },
      answer: 'done NoTransfer',
    },
  ]);
});

/** The world after the request has been told as well. */
const told = fold(stage.done, writeOf(decide(stage.done, now)));

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
      body: { metadata: { annotations: stage.record } },
      next: 'delete source',
    },
    {
      situation: 'pods that use the source are waited for',
      world: { ...stage.withTarget, pods: [pod()] },
      tells: 'wait SourceInUse',
    },
    {
      situation: 'a source that its owner has deleted says what it is held for, which only the target’s side can mend',
      world: { ...stage.withFence, source: leaving, refused: { slot: 'target', message: 'exceeded quota: claims' } },
      write: 'patch source status',
      body: { status: { conditions: [{ type: 'Transferred', status: 'False', reason: 'TargetRefused' }] } },
      next: 'patch request status',
    },
    {
      situation: 'the same when it is recorded as moving',
      world: { ...stage.released, target: stage.target({ annotations: {} }) },
      write: 'patch source status',
      body: { status: { conditions: [{ type: 'Transferred', status: 'False', reason: 'TargetExists' }] } },
      next: 'patch request status',
    },
    {
      situation: 'the same when its volume points to a target that has gone, and is refused when it is to come back',
      world: { ...stage.moved, target: undefined, refused: { slot: 'target', message: 'exceeded quota: claims' } },
      write: 'patch source status',
      body: { status: { conditions: [{ type: 'Transferred', status: 'False', reason: 'TargetRefused' }] } },
      next: 'patch request status',
    },
    {
      situation: 'a transfer of which all is done is told to be complete while the record is still there',
      world: stage.done,
      write: 'patch request status',
      next: 'patch volume',
    },
    {
      situation: 'and last of all the record goes, by which a broken-off run resumes',
      world: told,
      write: 'patch volume',
      body: recordOff,
      next: 'done Complete',
    },
  ]);
});

describe('after the point of no return the request can be withdrawn as long as the volume has not moved', () => {
  const deleting = { metadata: { deletionTimestamp: stage.deletionTimestamp } };
  const kept = {
    metadata: {
      annotations: {
        [stage.ours]: null,
        'longshore.dev/transfer-undoing': stage.transfer,
        'pv.kubernetes.io/transfer-status': 'withdrawn',
        'longshore.dev/transfer-offered-by': 'prod/data/uid-source',
        'longshore.dev/original-reclaim-policy': 'Delete',
      },
    },
    spec: { persistentVolumeReclaimPolicy: 'Retain' },
  };
  testTable(decide, [
    {
      situation: 'the record goes, and what was made is taken back',
      world: { ...stage.withRecord, request: undefined },
      write: 'patch volume',
      body: kept,
      next: 'delete target',
    },
    {
      situation: 'also when the request is only being deleted',
      world: { ...stage.withRecord, request: request(deleting) },
      write: 'patch volume',
      body: kept,
      next: 'delete target',
    },
    {
      situation: 'also when somebody holds the deleted source',
      world: { ...stage.deleted, request: undefined },
      write: 'patch volume',
      body: kept,
      next: 'patch volume',
    },
    {
      situation: 'also when the source is gone',
      world: { ...stage.released, source: undefined, request: undefined },
      write: 'patch volume',
      body: kept,
      next: 'delete target',
    },
    {
      situation: 'also when the source has been made anew',
      world: { ...stage.released, request: undefined, source: stage.recreated },
      write: 'patch volume',
      body: kept,
      next: 'delete target',
    },
    {
      situation: 'also when another claim of the name of the source was moved by the same request',
      world: { ...stage.released, source: stage.recreated, request: request({ status: { complete: true } }) },
      write: 'patch volume',
      body: kept,
      next: 'delete target',
    },
    {
      situation: 'a target that is gone by then is not made anew, be it in a namespace of other people',
      world: { ...stage.deleted, request: undefined, target: undefined },
      write: 'patch volume',
      body: kept,
      next: 'patch volume',
    },
    {
      situation: 'nor is one that was lost after it had been given the volume',
      world: { ...stage.unfenced, request: undefined, target: undefined },
      write: 'patch volume',
      body: kept,
      next: 'patch volume',
    },
    {
      situation: 'an approval by which the volume has moved has been used, whatever became of the target since',
      world: { ...stage.moved, request: undefined, target: undefined },
      write: 'patch approval status',
      body: { status: { complete: true } },
      next: 'patch source',
    },
    {
      situation: 'a source that the volume has left is let go first',
      world: { ...stage.moved, approval: undefined, request: undefined, target: undefined },
      write: 'patch source',
      body: { metadata: { finalizers: [] } },
      next: 'patch volume',
    },
    {
      situation: 'another claim of its name does not get what it was given',
      world: { ...stage.unfenced, request: undefined, target: stage.target({ uid: 'uid-next' }) },
      write: 'patch volume',
      body: kept,
      next: 'delete target',
    },
  ]);
});

describe('after the point of no return the transfer is finished, whoever has withdrawn what', () => {
  const alone = { request: undefined, approval: undefined };
  testTable(decide, [
    {
      situation: 'a target that was made after the request was seen is not given anything before that is seen again',
      world: { ...stage.released, targetUid: undefined },
      answer: 'reread RequestOlderThanTarget',
    },
    {
      situation: 'even when only the approval is gone',
      world: { ...stage.withRecord, approval: undefined },
      write: 'delete source',
      next: 'wait SourceHeld',
    },
    {
      situation: 'a source that is held is waited for',
      world: { ...stage.deleted, approval: undefined },
      answer: 'wait SourceHeld',
    },
    {
      situation: 'a released source gives its volume to the target',
      world: { ...stage.released, approval: undefined },
      write: 'patch volume',
      body: { spec: { claimRef: { namespace: 'stage', name: 'copy', uid: 'uid-target' } } },
      next: 'patch source',
    },
    {
      situation: 'the source is let go',
      world: { ...stage.moved, ...alone },
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'the target is touched',
      world: { ...stage.unfenced, ...alone },
      write: 'patch target',
      body: { metadata: { ownerReferences: null } },
      next: 'wait TargetNotBound',
    },
    {
      situation: 'the volume gets its policy back',
      world: { ...stage.bound, ...alone },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'patch volume',
    },
    {
      situation: 'and then loses the record',
      world: { ...stage.done, ...alone },
      write: 'patch volume',
      body: recordOff,
      next: 'done NoTransfer',
    },
    {
      situation: 'which it does even when the target has been deleted by then',
      world: { ...stage.done, ...alone, target: undefined },
      write: 'patch volume',
      body: recordOff,
      next: 'done NoTransfer',
    },
    {
      situation: 'a source without the name of its transfer is let go all the same',
      world: { ...stage.moved, ...alone, source: stage.fenced({ annotations: {} }) },
      write: 'patch source',
      body: { metadata: { finalizers: [protection] } },
      next: 'patch target',
    },
    {
      situation: 'a target that was deleted is made anew, from the volume alone when the source is gone',
      world: { ...stage.unfenced, approval: undefined, target: undefined },
      write: 'create target',
      body: { metadata: { namespace: 'stage', name: 'copy' }, spec: { volumeName: 'volume-1' } },
      next: 'reread RequestOlderThanTarget',
    },
    {
      situation: 'a source that someone removed by force counts as released',
      world: { ...stage.released, approval: undefined, source: undefined },
      write: 'patch volume',
      next: 'patch target',
    },
    {
      situation: 'a claim that was made anew before the volume moved does not hold it up',
      world: { ...stage.released, approval: undefined, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch target',
    },
    {
      situation: 'a claim that was made anew in place of the source is left alone',
      world: { ...stage.bound, ...alone, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'patch volume',
    },
    {
      situation: 'what the server refuses is said on a request that is there',
      world: { ...stage.withRecord, refused: { slot: 'source', message: 'denied by policy' } },
      tells: 'reject WriteRefused',
      saying: 'denied by policy',
    },
    {
      situation: 'and is the outcome when there is none',
      world: { ...stage.withRecord, ...alone, refused: { slot: 'source', message: 'denied by policy' } },
      answer: 'reject WriteRefused',
    },
  ]);
});

test('the end after the target has its volume takes three writes, the removal of the record last', () => {
  const { writes, world, decision } = settle(decide, stage.bound);
  expect(writes).toEqual(['patch volume', 'patch request status', 'patch volume']);
  expect(summaryOf(decision)).toBe('done Complete');
  expect([world.volume?.spec, world.volume?.metadata.annotations]).toEqual([stage.restored.volume?.spec, {}]);
});

test('a request that cannot be told that it is complete does not keep the record on the volume', () => {
  const decision = decide({ ...stage.done, refused: { slot: 'request', message: 'denied' } }, now);
  expect(writeOf(decision)).toMatchObject({ slot: 'volume', body: recordOff });
});

test('an approval that is withdrawn too late changes nothing: the source of the record goes, and the end is reached', () => {
  const late = { approval: undefined, source: stage.fenced({ deletionTimestamp: stage.deletionTimestamp }) };
  const held = settle(decide, { ...stage.withRecord, ...late });
  expect([held.writes, summaryOf(held.decision)]).toEqual([[], 'wait SourceHeld']);
  const start = { ...stage.released, approval: undefined, target: stage.target({}, 'Bound') };
  const { writes, world, decision } = settle(decide, start);
  const onObjects = ['patch volume', 'patch source', 'patch target', 'patch volume'];
  const toTheEnd = [...onObjects, 'patch request status', 'patch volume'];
  expect([writes, summaryOf(decision)]).toEqual([toTheEnd, 'done Complete']);
  expect(world.volume?.spec).toEqual(stage.restored.volume?.spec);
  expect(world.request?.status?.complete).toBe(true);
});

test('a failure is told on the request, and not over the word that it is complete', () => {
  const decision = rebindVolume.decideFailed(stage.withRecord, 'denied', now);
  expect(decision).toMatchObject({ write: { slot: 'request', body: { status: { error: { message: 'denied' } } } } });
  expect(rebindVolume.decideFailed(stage.restored, 'denied', now)).toMatchObject({ do: 'reject', reason: 'Failed' });
});
