import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { decide as decideVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { request } from '../../../../../support/builders.ts';
import { testTable, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { now, owner } = stage;
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
    expect(bodyOf(decide(stage.unfenced, now))?.metadata.ownerReferences).toBeNull();
  });

  test('keeping the owners that others gave it', () => {
    const world = { ...stage.unfenced, target: stage.target({ ownerReferences: [owner, other] }) };
    expect(bodyOf(decide(world, now))?.metadata.ownerReferences).toEqual([other]);
  });

  testTable(decide, [
    {
      situation: 'even when it says already where it came from, by a mark that any user can write',
      world: { ...stage.unfenced, target: stage.standing('Pending', { ownerReferences: [owner] }) },
      write: 'patch target',
      body: { metadata: { ownerReferences: null } },
      next: 'wait TargetNotBound',
    },
    {
      situation: 'even when it is bound already',
      world: { ...stage.bound, target: stage.standing('Bound', { ownerReferences: [owner] }) },
      write: 'patch target',
      body: { metadata: { ownerReferences: null } },
      next: 'patch volume',
    },
    {
      situation: 'whereas the owners that others gave it are no reason to touch it',
      world: { ...stage.bound, target: stage.standing('Bound', { ownerReferences: [other] }) },
      write: 'patch volume',
      next: 'patch request status',
    },
  ]);
});

describe('a target that a delayed worker made after the roll-back', () => {
  const orphaned = { ...stage.asked, approval: undefined, target: stage.target() };
  const recordOfAnother = { ...stage.record, [stage.ours]: 'test/other/uid-other' };
  testTable(decide, [
    {
      situation: 'is removed while the transfer is blocked',
      world: orphaned,
      write: 'delete target',
      next: 'patch request status',
    },
    {
      situation: 'is removed as part of the roll-back while the source is fenced',
      world: { ...orphaned, source: stage.fenced() },
      write: 'patch volume',
      body: { metadata: { annotations: { [stage.undoingMark]: stage.transfer } } },
      next: 'delete target',
    },
    {
      situation: 'is left alone while the volume is recorded',
      world: { ...orphaned, volume: stage.recorded({}, recordOfAnother) },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'is not taken for that of a namesake of the request',
      world: { ...orphaned, request: request({ metadata: { uid: 'uid-anew' } }) },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'is not taken for one that had its volume and lost it',
      world: { ...orphaned, target: stage.standing('Pending') },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'is not taken for one that is bound',
      world: { ...orphaned, target: stage.target({}, 'Bound') },
      tells: 'wait ApprovalMissing',
    },
  ]);
});

describe('a target that a delayed worker made after the end', () => {
  const complete = { ...stage.restored, approval: undefined };
  testTable(decide, [
    {
      situation: 'is removed',
      world: { ...complete, volume: undefined, target: stage.target() },
      write: 'delete target',
      next: 'done Complete',
    },
    { situation: 'is not taken for the one that has the volume', world: complete, answer: 'done Complete' },
    {
      situation: 'is not looked for in the claim of another transfer',
      world: {
        ...complete,
        target: stage.target({ annotations: { 'longshore.dev/transferred-by': 'stage/other/uid-other' } }),
      },
      answer: 'done Complete',
    },
  ]);
});
