import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import { approval, claim, pod, protection, request } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { asked, deletionTimestamp, now, ours } = stage;
const longAgo = '2026-03-01T11:00:00Z';
const readAgo = (milliseconds: number): TransferWorld => ({
  ...stage.withTarget,
  readAt: new Date(now.getTime() - milliseconds),
});

describe('nothing is done', () => {
  testTable(decide, [
    { situation: 'when the request is gone', world: { pods: [], readAt: now }, answer: 'done RequestGone' },
    {
      situation: 'when the request is complete and no approval waits to hear of it',
      world: { ...asked, approval: undefined, request: request({ status: { complete: true } }) },
      answer: 'done Complete',
    },
    {
      situation: "when the request is being deleted: the volume's own key takes back what was begun",
      world: { ...stage.withTarget, request: request({ metadata: { deletionTimestamp: longAgo } }) },
      answer: 'done RequestDeleted',
    },
  ]);
});

describe('each step up to the point of no return in its order', () => {
  testTable(decide, [
    {
      situation: 'a source that is ready is fenced, keeping the finalizers that it has',
      world: asked,
      write: 'patch source',
      body: { metadata: { finalizers: [protection, ours], annotations: stage.fence } },
      next: 'create target',
    },
    {
      situation: 'behind the fence the target is created, bound to the volume by name and like the source in all else',
      world: stage.withFence,
      write: 'create target',
      body: {
        metadata: {
          namespace: 'stage',
          name: 'copy',
          annotations: { 'longshore.dev/transferred-by': 'stage/move/uid-request' },
        },
        spec: {
          volumeName: 'volume-1',
          storageClassName: 'fast',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
        },
      },
      next: 'patch volume',
    },
    {
      situation: 'once the target stands the volume is secured and the transfer recorded on it, in one patch',
      world: stage.withTarget,
      write: 'patch volume',
      body: { metadata: { annotations: stage.record }, spec: { persistentVolumeReclaimPolicy: 'Retain' } },
      next: 'delete source',
    },
    {
      situation: 'a fenced source that its user deletes while both sides agree moves all the same',
      world: { ...stage.withTarget, source: stage.fenced({ deletionTimestamp: stage.deletionTimestamp }) },
      write: 'patch volume',
      body: { metadata: { annotations: stage.record } },
      next: 'wait SourceHeld',
    },
    {
      situation: 'consent that was read too long ago is read again before the record is written',
      world: readAgo(5_001),
      answer: 'reread ConsentTooOld',
    },
    {
      situation: 'consent that was read five seconds ago is still trusted',
      world: readAgo(5_000),
      write: 'patch volume',
      next: 'delete source',
    },
    {
      situation: 'consent that is old does not matter to what can be taken back',
      world: { ...readAgo(60_000), target: undefined },
      write: 'create target',
      next: 'reread ConsentTooOld',
    },
  ]);
});

describe('each step after the point of no return in its order', () => {
  testTable(decide, [
    {
      situation: 'with the record written the source is deleted, and what holds it is waited for',
      world: stage.withRecord,
      write: 'delete source',
      next: 'wait SourceHeld',
    },
    {
      situation: 'a source whose fence someone took off is fenced again before it is deleted',
      world: { ...stage.withRecord, source: claim() },
      write: 'patch source',
      body: { metadata: { finalizers: [protection, ours] } },
      next: 'delete source',
    },
    {
      situation: 'a source that was deleted a moment ago is waited for without a word',
      world: stage.deleted,
      answer: 'wait SourceHeld',
    },
    {
      situation: 'once nothing but our finalizer holds the source, the volume is given to the target, uid included',
      world: stage.released,
      write: 'patch volume',
      body: {
        metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } },
        spec: { claimRef: { namespace: 'stage', name: 'copy', uid: 'uid-target', resourceVersion: null } },
      },
      next: 'patch approval status',
    },
    {
      situation: "when the volume is the target's the approval has been used, while the source still has its name",
      world: stage.moved,
      write: 'patch approval status',
      body: { status: { complete: true, error: null, observedGeneration: 1 } },
      next: 'patch source',
    },
    {
      situation: 'also when the request is being deleted, and so agrees to nothing any more',
      world: { ...stage.moved, request: request({ metadata: { deletionTimestamp } }) },
      write: 'patch approval status',
      body: { status: { complete: true } },
      next: 'patch source',
    },
    {
      situation: 'an approval that was made after the point of no return is for the next transfer',
      world: { ...stage.moved, approval: approval({ metadata: { uid: 'uid-next' } }) },
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'an approval that cannot be told holds nothing up',
      world: { ...stage.moved, refused: { slot: 'approval', message: 'denied' } },
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'then the source is let go',
      world: stage.used,
      write: 'patch source',
      body: { metadata: { finalizers: [] } },
      next: 'patch target',
    },
    {
      situation: 'when the source is gone the target is touched, and says where it came from',
      world: stage.unfenced,
      write: 'patch target',
      body: { metadata: { annotations: { 'longshore.dev/transferred-from': 'prod/data' } } },
      next: 'wait TargetNotBound',
    },
    {
      situation: 'a target that is not bound yet is waited for',
      world: stage.withOrigin,
      answer: 'wait TargetNotBound',
    },
    {
      situation: 'a volume that is not bound yet is waited for, although the target says that it is',
      world: { ...stage.bound, volume: { ...stage.recorded(stage.ofTarget), status: { phase: 'Released' } } },
      answer: 'wait TargetNotBound',
    },
    {
      situation: 'when both are bound the volume gets its policy back and says that all is done, in one patch',
      world: stage.bound,
      write: 'patch volume',
      body: {
        metadata: { annotations: { 'longshore.dev/transfer-done': 'true' } },
        spec: { persistentVolumeReclaimPolicy: 'Delete' },
      },
      next: 'patch request status',
    },
    {
      situation: 'an approval that has not been told by then is told first',
      world: { ...stage.done, approval: approval() },
      write: 'patch approval status',
      body: { status: { complete: true, error: null, observedGeneration: 1 } },
      next: 'patch request status',
    },
    {
      situation: 'also by a transfer whose request is being deleted',
      world: { ...stage.done, approval: approval(), request: request({ metadata: { deletionTimestamp } }) },
      write: 'patch approval status',
      body: { status: { complete: true } },
      next: 'patch request status',
    },
    {
      situation: 'when all is done the request says so, before the record goes',
      world: stage.done,
      write: 'patch request status',
      body: { status: { complete: true } },
      next: 'patch volume',
    },
    {
      situation: 'an approval that is given again after the request was complete is told so',
      world: { ...stage.restored, approval: approval() },
      write: 'patch approval status',
      body: { status: { complete: true } },
      next: 'patch request status',
    },
  ]);
});

describe('a StatefulSet that makes the source anew', () => {
  testTable(decide, [
    {
      situation: 'does not hinder the move',
      world: { ...stage.released, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch approval status',
    },
    {
      situation: 'does not hinder the end',
      world: { ...stage.bound, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'patch request status',
    },
    {
      situation: 'does not have that claim moved as well',
      world: { ...stage.done, source: stage.recreated },
      write: 'patch request status',
      next: 'patch volume',
    },
    {
      situation: 'does not have that claim taken for the source, even with a copy of the fence on it',
      world: { ...stage.bound, source: stage.fenced({ uid: 'uid-recreated' }) },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'patch request status',
    },
  ]);
});

test('from the first request to the deletion of the source there are four writes', () => {
  const { writes, decision } = settle(decide, asked);
  expect(writes).toEqual(['patch source', 'create target', 'patch volume', 'delete source']);
  expect(summaryOf(decision)).toBe('wait SourceHeld');
});

test('from the release of the source to the end there are only writes that finish, and the end is at rest', () => {
  const start: TransferWorld = { ...stage.released, target: stage.target({}, 'Bound') };
  const { writes, world } = settle(decide, start);
  const onObjects = ['patch volume', 'patch approval status', 'patch source', 'patch target', 'patch volume'];
  expect(writes).toEqual([...onObjects, 'patch request status', 'patch volume']);
  expect(world.volume?.spec).toEqual(stage.restored.volume?.spec);
  expect(decide(world, now)).toEqual({ do: 'done', reason: 'Complete' });
});

test('the original policy that comes back is the one that was recorded', () => {
  const volume = stage.recorded(stage.ofTarget, { ...stage.record, 'longshore.dev/original-reclaim-policy': 'Retain' });
  const write = writeOf(decide({ ...stage.bound, volume }, now));
  expect(write).toMatchObject({ slot: 'volume', body: { spec: { persistentVolumeReclaimPolicy: 'Retain' } } });
});

test('a pod that uses the source is named, and when it has been deleted the record is written', () => {
  const world: TransferWorld = { ...stage.withTarget, pods: [pod()] };
  const { world: told, decision } = settle(decide, world);
  expect(decision).toMatchObject({ do: 'wait', message: expect.stringContaining('pods: app.') });
  expect(told.approval?.status?.conditions).toEqual(told.request?.status?.conditions);
  expect(summaryOf(decide({ ...told, pods: [] }, now))).toBe('patch volume');
});
