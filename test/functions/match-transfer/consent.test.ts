import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../functions/match-transfer/decide.ts';
import type { TransferWorld } from '../../../lib/transfers/world.ts';
import { approval, claim, request } from '../../support/builders.ts';
import * as stage from '../stages.ts';
import { fold, settle, summaryOf, testTable, writeOf } from '../table.ts';

const { asked, now } = stage;
const longAgo = '2026-03-01T11:00:00Z';
const source = { namespace: 'prod', name: 'data', kind: 'PersistentVolumeClaim' };
const withApproval = (...overrides: Parameters<typeof approval>): TransferWorld => ({
  ...asked,
  approval: approval(...overrides),
});
const withRequest = (...overrides: Parameters<typeof request>): TransferWorld => ({
  ...asked,
  request: request(...overrides),
});

describe('what is wrong with the request is said', () => {
  testTable(decide, [
    {
      situation: 'no targetName',
      world: withRequest({ spec: { targetName: '' } }),
      tells: 'reject Invalid',
      saying: 'spec.targetName is missing',
    },
    {
      situation: 'no approvalName, and no grant',
      world: withRequest({ spec: { approvalName: '' } }),
      tells: 'wait ApprovalMissing',
      saying: 'no ReferenceGrant of namespace prod covers it',
    },
    {
      situation: 'a source without a name',
      world: withRequest({ spec: { source: { ...source, name: '' } } }),
      tells: 'reject Invalid',
      saying: 'a namespace and a name',
    },
    {
      situation: 'a kind that cannot be moved',
      world: withRequest({ spec: { source: { ...source, kind: 'Pod' } } }),
      tells: 'reject UnknownKind',
      saying: '"Pod"',
    },
    {
      situation: 'a source that is the target',
      world: withRequest({ spec: { source: { ...source, namespace: 'stage' }, targetName: 'data' } }),
      tells: 'reject Invalid',
      saying: 'the same claim, stage/data',
    },
  ]);
});

describe('what is wrong with the approval is said', () => {
  const differs = 'reject ApprovalDiffers';
  testTable(decide, [
    {
      situation: 'it is missing',
      world: { ...asked, approval: undefined },
      tells: 'wait ApprovalMissing',
      saying: 'prod/allow',
    },
    {
      situation: 'it is being deleted',
      world: withApproval({ metadata: { deletionTimestamp: longAgo } }),
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'it names another request',
      world: withApproval({ spec: { requestName: 'other' } }),
      tells: differs,
      saying: 'spec.requestName is "other"',
    },
    {
      situation: 'it has been used for an earlier transfer',
      world: withApproval({ status: { complete: true } }),
      tells: 'reject ApprovalUsed',
      saying: 'must delete it and approve this one',
    },
    {
      situation: 'it names another target namespace',
      world: withApproval({ spec: { targetNamespace: 'test' } }),
      tells: 'wait ApprovalMissing',
      saying: 'there is no StorageTransferApproval prod/allow for this namespace',
    },
    {
      situation: 'it stands in another namespace than the source',
      world: withApproval({ metadata: { namespace: 'test' } }),
      tells: differs,
      saying: 'metadata.namespace is "test"',
    },
    {
      situation: 'it names another source',
      world: withApproval({ spec: { source: { name: 'other', kind: source.kind } } }),
      tells: differs,
      saying: 'spec.source.name is "other"',
    },
    {
      situation: 'it names another kind',
      world: withApproval({ spec: { source: { name: 'data', kind: 'Pod' } } }),
      tells: differs,
      saying: 'spec.source.kind is "Pod"',
    },
    {
      situation: 'it has another name',
      world: withApproval({ metadata: { name: 'other' } }),
      tells: differs,
      saying: 'metadata.name is "other"',
    },
  ]);
});

describe('what an approval says of others is told to nobody', () => {
  const forOthers = approval({
    spec: { targetNamespace: 'test', requestName: 'secret', source: { name: 'hidden', kind: 'Hidden' } },
  });

  test('an approval that names this request hears what is wrong with it', () => {
    const { writes, world } = settle(decide, withApproval({ spec: { source: { name: 'other', kind: source.kind } } }));
    expect(writes).toEqual(['patch request status', 'patch approval status']);
    expect(world.approval?.status?.error?.message).toContain('spec.source.name is "other"');
  });

  test('an approval for another request of the namespace is not written to', () => {
    expect(settle(decide, withApproval({ spec: { requestName: 'other' } })).writes).toEqual(['patch request status']);
  });

  test('an approval for another namespace is neither written to nor quoted', () => {
    const { writes, world } = settle(decide, { ...asked, approval: forOthers });
    expect(writes).toEqual(['patch request status']);
    expect(JSON.stringify(world.request?.status)).not.toMatch(/test|secret|hidden/i);
  });

  test('an approval for another request does not hear that this one is complete', () => {
    const atItsEnd = settle(decide, { ...stage.done, approval: forOthers });
    expect([atItsEnd.writes, atItsEnd.world.request?.status?.complete]).toEqual([
      ['patch request status', 'patch volume'],
      true,
    ]);
    expect(settle(decide, { ...stage.restored, approval: forOthers }).writes).toEqual([]);
  });
});

test('what keeps its status keeps the time of its last change', () => {
  const missing: TransferWorld = { ...asked, approval: undefined };
  const told = fold(missing, writeOf(decide(missing, now)));
  const later = new Date(now.getTime() + 60_000);
  const unbound = { ...told, approval: approval(), source: claim({ status: { phase: 'Pending' } }) };
  const { request } = fold(unbound, writeOf(decide(unbound, later)));
  const times = request?.status?.conditions?.map(({ type, status, lastTransitionTime }) => [
    type,
    status,
    lastTransitionTime,
  ]);
  expect(times).toEqual([
    ['Matched', 'True', '2026-03-01T12:01:00Z'],
    ['SourceReady', 'False', '2026-03-01T12:01:00Z'],
    ['Complete', 'False', '2026-03-01T12:00:00Z'],
  ]);
});

test('each told blocker comes with an event about the request that says the same', () => {
  const write = writeOf(decide(withApproval({ spec: { requestName: 'other' } }), now));
  expect(write.announce).toEqual([
    expect.objectContaining({ regarding: asked.request, type: 'Warning', reason: 'ApprovalDiffers' }),
  ]);
});

test('a blocker that goes takes its error along', () => {
  const rejected: TransferWorld = withApproval({ spec: { requestName: 'other' } });
  const told = fold(rejected, writeOf(decide(rejected, now)));
  expect(summaryOf(decide({ ...told, approval: approval() }, now))).toBe('patch source');
  const waiting = { ...told, approval: undefined };
  expect(fold(waiting, writeOf(decide(waiting, now))).request?.status?.error).toBeUndefined();
});
