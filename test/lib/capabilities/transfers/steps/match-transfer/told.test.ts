import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { matchTransfer } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { rebindVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import { approval, claim, pod, request } from '../../../../../support/builders.ts';
import { ownConditions } from '../../../../../support/ready.ts';
import { settle, summaryOf, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { now } = stage;
const failed = (world: TransferWorld) => matchTransfer.decideFailed(world, 'no answer; given up', now);

describe('what a transfer waits for is told to the approval as well', () => {
  test.each<[string, TransferWorld]>([
    ['its source', { ...stage.asked, source: undefined, volume: undefined }],
    ['a volume that cannot be moved', { ...stage.asked, volume: undefined }],
    ['pods', { ...stage.withTarget, pods: [pod()] }],
    ['what the server refuses', { ...stage.withFence, refused: { slot: 'source', message: 'denied' } }],
    [
      'a source that is held',
      { ...stage.deleted, source: stage.fenced({ deletionTimestamp: '2026-03-01T11:00:00Z' }) },
    ],
  ])('when it is %s, in the same words', (_, world) => {
    const { writes, world: end } = settle(decide, world);
    expect(writes).toEqual(['patch request status', 'patch approval status']);
    expect(end.approval?.status?.conditions).toEqual(end.request?.status?.conditions);
  });

  test('but not to one that does not match', () => {
    const other = approval({ spec: { requestName: 'other' } });
    const world = { ...stage.asked, approval: other };
    expect(settle(decide, world).writes).toEqual(['patch request status']);
  });
});

describe('a failure of the work itself', () => {
  const unbound: TransferWorld = { ...stage.asked, source: claim({ status: { phase: 'Pending' } }) };

  test('keeps the stages that were reached', () => {
    const reached = settle(decide, unbound).world;
    const { world: end, writes } = settle((world) => failed(world), reached);
    expect(writes).toEqual(['patch request status']);
    expect(
      ownConditions(end.request?.status?.conditions).map(({ type, status, reason }) => [type, status, reason]),
    ).toEqual([
      ['Matched', 'True', 'Matched'],
      ['SourceReady', 'False', 'SourceNotBound'],
      ['Complete', 'False', 'Failed'],
    ]);
    expect(end.request?.status?.error?.message).toBe('no answer; given up');
  });

  test('is said once, and counted with that', () => {
    const { world } = settle((given) => failed(given), stage.asked);
    expect(summaryOf(failed(world))).toBe('reject Failed');
    expect(writeOf(failed(stage.asked)).measure).toMatchObject([
      { name: 'TransfersFailed', dimensions: { Reason: 'Failed' } },
    ]);
  });

  test('is not what is said when the work goes on', () => {
    const { world } = settle((given) => failed(given), unbound);
    const { world: end } = settle(decide, world);
    expect(end.request?.status?.error).toBeUndefined();
    expect(end.request?.status?.conditions?.at(-1)).toMatchObject({ reason: 'SourceNotBound' });
  });
});

test('what happens is told in Events on what it happens to', () => {
  const told = (world: TransferWorld) =>
    (writeOf(decide(world, now)).announce ?? []).map(({ regarding, type, reason }) =>
      [regarding.kind, type, reason].join(' '),
    );
  expect(told(stage.asked)).toEqual(['PersistentVolumeClaim Normal TransferBegun']);
  expect(told(stage.withTarget)).toEqual(['PersistentVolume Normal TransferBegun']);
  expect(told(stage.bound)).toEqual([
    'PersistentVolume Normal Transferred',
    'PersistentVolumeClaim Normal Transferred',
  ]);
  expect(told({ ...stage.done, approval: undefined })).toEqual(['StorageTransferRequest Normal Complete']);
  const undone: TransferWorld = { ...stage.withFence, approval: undefined, volume: stage.undoing() };
  expect(told(undone)).toEqual(['PersistentVolumeClaim Normal RolledBack']);
  expect(writeOf(rebindVolume.decide(undone, now)).announce).toEqual(writeOf(decide(undone, now)).announce);
});

describe('what is counted is counted with the write that makes it true', () => {
  const counted = (world: TransferWorld) => writeOf(decide(world, now)).measure ?? [];
  const Transfer = 'ByRequest';
  const one = { unit: 'Count', value: 1, dimensions: { Transfer } };
  const createdAt = (creationTimestamp: string) => ({ metadata: { creationTimestamp } });

  test('a start with the fence', () => {
    expect(counted(stage.asked)).toEqual([{ name: 'TransfersStarted', ...one }]);
  });

  test('an end when the request is told, and how long it took from the moment at which both agreed', () => {
    const ended: TransferWorld = {
      ...stage.done,
      request: request(createdAt('2026-03-01T11:00:00Z')),
      approval: approval({ ...createdAt('2026-03-01T11:59:30Z'), status: { complete: true } }),
    };
    expect(counted({ ...ended, approval: undefined })).toEqual([
      { name: 'TransfersCompleted', ...one },
      { name: 'TransferDuration', unit: 'Milliseconds', value: 3_600_000, dimensions: { Transfer } },
    ]);
  });

  test('not when the approval is told, and so once', () => {
    expect(counted({ ...stage.done, approval: approval() })).toEqual([]);
    const { world } = settle(decide, stage.asked);
    expect(counted({ ...world, approval: undefined, source: undefined, volume: undefined })).toEqual([]);
  });

  test('a rejection with its reason, a wait not at all', () => {
    const rejected = { ...stage.asked, source: claim({ status: { phase: 'Lost' } }) };
    expect(counted(rejected)).toMatchObject([
      { name: 'TransfersFailed', dimensions: { Transfer, Reason: 'SourceLost' } },
    ]);
    expect(counted({ ...stage.asked, approval: undefined })).toEqual([]);
  });

  test('nothing with what lies between', () => {
    for (const world of [
      stage.withFence,
      stage.withTarget,
      stage.withRecord,
      stage.released,
      stage.moved,
      stage.bound,
    ]) {
      expect(counted(world)).toEqual([]);
    }
  });
});
