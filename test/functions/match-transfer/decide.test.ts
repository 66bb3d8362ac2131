import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../functions/match-transfer/decide.ts';
import type { Claim } from '../../../lib/cluster/objects.ts';
import type { TransferWorld } from '../../../lib/transfers/world.ts';
import { approval, claim, pod, protection, request } from '../../support/builders.ts';
import * as stage from '../stages.ts';
import { fold, settle, summaryOf, testTable, writeOf } from '../table.ts';

const { asked, now, ours } = stage;
const longAgo = '2026-03-01T11:00:00Z';

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
      world: { ...stage.withRecord, request: request({ metadata: { deletionTimestamp: longAgo } }) },
      answer: 'done RequestDeleted',
    },
  ]);
});

describe('each step in its order', () => {
  testTable(decide, [
    {
      situation: 'a source that is ready is fenced, keeping the finalizers that it has',
      world: asked,
      write: 'patch source',
      body: { metadata: { finalizers: [protection, ours], annotations: { [ours]: 'stage/move/uid-request' } } },
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
      situation: 'with everything safe the source is deleted, and what holds it is waited for',
      world: stage.withRecord,
      write: 'delete source',
      next: 'wait SourceHeld',
    },
    {
      situation: 'consent that was read too long ago is read again before the source is deleted',
      world: { ...stage.withRecord, readAt: new Date(now.getTime() - 2_001) },
      answer: 'reread ConsentTooOld',
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
      next: 'patch target',
    },
    {
      situation: 'the target is touched when the volume is its own, and says where it came from',
      world: stage.moved,
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
      situation: 'when the target is bound the source is let go',
      world: stage.bound,
      write: 'patch source',
      body: { metadata: { finalizers: [] } },
      next: 'patch volume',
    },
    {
      situation: 'when the source is gone the volume gets its policy back and loses the record, in one patch',
      world: stage.unfenced,
      write: 'patch volume',
      body: {
        metadata: { annotations: Object.fromEntries(Object.keys(stage.record).map((name) => [name, null])) },
        spec: { persistentVolumeReclaimPolicy: 'Delete' },
      },
      next: 'patch approval status',
    },
    {
      situation: 'when all is done the approval says so first',
      world: stage.restored,
      write: 'patch approval status',
      body: { status: { complete: true, error: null, observedGeneration: 1 } },
      next: 'patch request status',
    },
    {
      situation: 'and then the request, by which a broken-off run resumes',
      world: { ...stage.restored, approval: undefined },
      write: 'patch request status',
      body: { status: { complete: true } },
      next: 'done Complete',
    },
    {
      situation: 'an approval that has not heard that the request is complete is told',
      world: { ...stage.restored, request: request({ status: { complete: true } }) },
      write: 'patch approval status',
      body: { status: { complete: true } },
      next: 'patch request status',
    },
    {
      situation: 'a StatefulSet that made the source anew does not hinder the end',
      world: { ...stage.unfenced, source: stage.recreated },
      write: 'patch volume',
      body: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      next: 'patch approval status',
    },
    {
      situation: 'a claim that was made anew in place of the source is never the one that is moved',
      world: { ...stage.restored, source: stage.recreated },
      write: 'patch approval status',
      next: 'patch request status',
    },
  ]);
});

test('the target has nothing that was true of the source alone', () => {
  const source = stage.fenced({
    labels: { app: 'shop' },
    annotations: {
      [ours]: 'stage/move/uid-request',
      'pv.kubernetes.io/bind-completed': 'yes',
      'volume.kubernetes.io/selected-node': 'node-1',
      note: 'kept',
    },
  });
  const { body } = writeOf(decide({ ...stage.withFence, source }, now)) as { body: Claim };
  expect(body.metadata.labels).toEqual({ app: 'shop' });
  expect(body.metadata.annotations).toEqual({ note: 'kept', 'longshore.dev/transferred-by': 'stage/move/uid-request' });
  expect(body.metadata.finalizers).toBeUndefined();
  expect(body.metadata.uid).toBeUndefined();
});

test('from the first request to the deletion of the source there are four writes', () => {
  const { writes, decision } = settle(decide, asked);
  expect(writes).toEqual(['patch source', 'create target', 'patch volume', 'delete source']);
  expect(summaryOf(decision)).toBe('wait SourceHeld');
});

test('from the release of the source to the end there are only writes that finish, and the end is at rest', () => {
  const start: TransferWorld = { ...stage.released, target: stage.target({}, 'Bound') };
  const { writes, world } = settle(decide, start);
  expect(writes).toEqual([
    'patch volume',
    'patch target',
    'patch source',
    'patch volume',
    'patch approval status',
    'patch request status',
  ]);
  expect(world.volume).toEqual({ ...stage.restored.volume, metadata: expect.objectContaining({ annotations: {} }) });
  expect(decide(world, now)).toEqual({ do: 'done', reason: 'Complete' });
});

test('the original policy that comes back is the one that was recorded', () => {
  const volume = stage.recorded(stage.ofTarget, { ...stage.record, 'longshore.dev/original-reclaim-policy': 'Retain' });
  const write = writeOf(decide({ ...stage.unfenced, volume }, now));
  expect(write).toMatchObject({ slot: 'volume', body: { spec: { persistentVolumeReclaimPolicy: 'Retain' } } });
});

test('a pod that uses the source is named, and when it has ended the source is deleted', () => {
  const world: TransferWorld = { ...stage.withRecord, pods: [pod()] };
  const told = fold(world, writeOf(decide(world, now)));
  expect(decide(told, now)).toMatchObject({ do: 'wait', message: expect.stringContaining('pods: app;') });
  expect(summaryOf(decide({ ...told, pods: [] }, now))).toBe('delete source');
});

test('a rejection of the match is told to the one who approves as well', () => {
  const other = approval({ spec: { requestName: 'other' } });
  const { writes, world } = settle(decide, { ...asked, approval: other, source: claim() });
  expect(writes).toEqual(['patch request status', 'patch approval status']);
  expect(world.approval?.status?.error?.message).toContain('spec.requestName is "other"');
});
