import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../functions/match-transfer/decide.ts';
import { decide as decideVolume } from '../../../functions/rebind-volume/decide.ts';
import { request } from '../../support/builders.ts';
import * as stage from '../stages.ts';
import { testTable, writeOf } from '../table.ts';

const { now } = stage;
const owner = {
  apiVersion: 'transfer.storage.k8s.io/v1alpha1',
  kind: 'StorageTransferRequest',
  name: 'move',
  uid: 'uid-request',
};
const other = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'shop', uid: 'uid-set' };
const bodyOf = (decision: ReturnType<typeof decide>) => {
  const write = writeOf(decision);
  return 'body' in write ? (write.body as { metadata: { ownerReferences?: unknown } }) : undefined;
};

describe('until it has its volume the target belongs to the request', () => {
  test('so that it goes with a request that is gone', () => {
    expect(bodyOf(decide(stage.withFence, now))?.metadata.ownerReferences).toEqual([owner]);
  });

  test('but not to a request that is gone already, with which it would go at once', () => {
    const alone = { ...stage.released, target: undefined, request: undefined, approval: undefined };
    expect(bodyOf(decideVolume(alone, now))?.metadata).not.toHaveProperty('ownerReferences');
  });

  test('and afterwards it stands for itself', () => {
    const moved = { ...stage.moved, target: stage.target({ ownerReferences: [owner] }) };
    expect(bodyOf(decide(moved, now))?.metadata.ownerReferences).toBeNull();
  });

  test('keeping the owners that others gave it', () => {
    const moved = { ...stage.moved, target: stage.target({ ownerReferences: [owner, other] }) };
    expect(bodyOf(decide(moved, now))?.metadata.ownerReferences).toEqual([other]);
  });
});

describe('a target that a delayed worker made after the roll-back', () => {
  const orphaned = { ...stage.asked, approval: undefined, target: stage.target() };
  testTable(decide, [
    {
      situation: 'is removed while the transfer is blocked',
      world: orphaned,
      write: 'delete target',
      next: 'patch request status',
    },
    {
      situation: 'is left alone while the source is fenced',
      world: { ...orphaned, source: stage.fenced() },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'is left alone while the volume is recorded',
      world: { ...orphaned, volume: stage.recorded() },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'is not taken for that of a namesake of the request',
      world: { ...orphaned, request: request({ metadata: { uid: 'uid-anew' } }) },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'is not taken for one that had its volume and lost it',
      world: { ...orphaned, target: stage.withOrigin.target },
      tells: 'wait ApprovalMissing',
    },
  ]);
});
