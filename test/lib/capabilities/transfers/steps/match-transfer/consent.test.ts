import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import { approval, claim, grant, namespace, request } from '../../../../../support/builders.ts';
import { ownConditions } from '../../../../../support/ready.ts';
import { fold, settle, summaryOf, testTable, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

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
      situation: 'a version that there is not',
      world: withRequest({ spec: { source: { ...source, apiVersion: 'v999' } } }),
      tells: 'reject UnknownKind',
      saying: 'spec.source.apiVersion is "v999"',
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
      saying: 'must delete that approval and approve this request',
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
  const times = ownConditions(request?.status?.conditions).map(({ type, status, lastTransitionTime }) => [
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

describe('what was agreed to with the people of a namespace is void for those who have its name later', () => {
  const late = { creationTimestamp: '2026-02-20T00:00:00Z', uid: 'uid-late' };
  const confirmed = { annotations: { 'longshore.dev/namespace-uids': 'uid-late' } };
  const toOthers: TransferWorld = { ...asked, targetNamespace: namespace('stage', late) };
  const ofOthers: TransferWorld = { ...asked, sourceNamespace: namespace('prod', late) };
  const byGrant = (...overrides: Parameters<typeof grant>): TransferWorld => ({
    ...toOthers,
    approval: undefined,
    grants: [grant(...overrides)],
  });
  testTable(decide, [
    {
      situation: 'an approval is older than the namespace that it agrees with',
      world: toOthers,
      tells: 'wait ApprovalMissing',
      saying: 'there is no StorageTransferApproval prod/allow for this namespace: the owner',
    },
    {
      situation: 'an approval is confirmed for it',
      world: { ...toOthers, approval: approval({ metadata: confirmed }) },
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'a grant is older than the namespace that it names',
      world: byGrant(),
      tells: 'wait ApprovalMissing',
      saying: 'if there is one already, it was written before namespace stage was created (2026-02-20T00:00:00Z)',
    },
    {
      situation: 'a grant is confirmed for it',
      world: byGrant({ metadata: confirmed }),
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'a request is older than the namespace of the claim that it asks for',
      world: ofOthers,
      tells: 'wait NamespaceReplaced',
      saying: 'request stage/move: it was written before namespace prod was created',
    },
    {
      situation: 'a request is confirmed for it',
      world: { ...ofOthers, request: request({ metadata: confirmed }) },
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'who has no consent learns nothing of the age of a namespace that is not theirs',
      world: { ...ofOthers, approval: undefined, grants: [] },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'what was begun is taken back when a namespace turns out to be another one',
      world: { ...toOthers, source: stage.fenced() },
      write: 'patch volume',
      body: { metadata: { annotations: { 'longshore.dev/transfer-undoing': stage.transfer } } },
      next: 'patch source',
    },
  ]);
});

test('an approval for a claim of another group is none for a PersistentVolumeClaim', () => {
  const other = { apiGroup: 'backup.example.com', kind: 'PersistentVolumeClaim', name: 'data' };
  const { world, decision } = settle(decide, withApproval({ spec: { source: other } }));
  expect(summaryOf(decision)).toBe('reject ApprovalDiffers');
  expect(world.request?.status?.error?.message).toContain(
    'the approval\'s spec.source.apiGroup is "backup.example.com"',
  );
});

describe('a request whose status was written by its owner', () => {
  const forged = request({ status: { complete: true } });
  test('makes an approval say nothing of a transfer that was not made', () => {
    const { writes, world } = settle(decide, { ...asked, request: forged, source: undefined });
    expect(writes).toEqual(['patch approval status']);
    expect(world.approval?.status?.complete).toBe(false);
    expect(world.approval?.status?.conditions?.at(-1)).toMatchObject({ reason: 'RequestComplete', status: 'False' });
  });

  test('leaves an approval as it is that says already that the transfer was made', () => {
    const used = approval({ status: { complete: true, observedGeneration: 1 } });
    const { world } = settle(decide, {
      ...asked,
      approval: used,
      request: forged,
      source: undefined,
      target: stage.target(),
    });
    expect(world.approval?.status?.complete).toBe(true);
  });

  test('is believed where the claim that it made shows it', () => {
    const { world } = settle(decide, { ...asked, request: forged, source: undefined, target: stage.standing() });
    expect(world.approval?.status?.complete).toBe(true);
  });
});
