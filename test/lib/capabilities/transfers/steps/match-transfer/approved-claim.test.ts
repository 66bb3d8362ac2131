import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { read } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/read.ts';
import { decide as decideByVolume } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import { approval, claim, grant, request, volume } from '../../../../../support/builders.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { asked, now } = stage;
const key = { namespace: 'stage', name: 'move' };
const named = { name: 'data', kind: 'PersistentVolumeClaim' };
const approvalOf = (uid: string, overrides: Parameters<typeof approval>[0] = {}) =>
  approval({ ...overrides, spec: { source: { ...named, uid } } });
const requestOf = (uid: string) => request({ spec: { source: { ...named, namespace: 'prod', uid } } });
const earlier = approvalOf('uid-earlier');
const replaced = 'reject ApprovedClaimReplaced';

describe('an approval with a uid is for that claim', () => {
  testTable(decide, [
    {
      situation: 'which is moved',
      world: { ...asked, approval: approvalOf('uid-source') },
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'and for none that was created later under its name',
      world: { ...asked, approval: earlier },
      tells: replaced,
      saying: 'approval prod/allow is for another claim prod/data than the present one',
    },
    {
      situation: 'also when the request means the present one',
      world: { ...asked, approval: earlier, request: requestOf('uid-source') },
      tells: 'reject ApprovalDiffers',
      saying: 'the request\'s spec.source.uid is "uid-source", the approval\'s spec.source.uid is "uid-earlier"',
    },
    {
      situation: 'and if both sides mean the earlier one, the present one is not moved either',
      world: { ...asked, approval: earlier, request: requestOf('uid-earlier') },
      tells: replaced,
    },
    {
      situation: 'and used only once',
      world: { ...asked, approval: approvalOf('uid-earlier', { status: { complete: true } }) },
      tells: 'reject ApprovalUsed',
    },
    {
      situation: 'but a claim that is missing contradicts nothing',
      world: { ...asked, approval: earlier, source: undefined, volume: undefined },
      tells: 'wait SourceMissing',
    },
    {
      situation: 'and a grant of the same name covers whichever claim has it',
      world: { ...asked, approval: earlier, grants: [grant()] },
      write: 'patch source',
      next: 'create target',
    },
  ]);
});

test('both sides learn that the claim was replaced, and only its owner learns the uids', () => {
  const { writes, world } = settle(decide, { ...asked, approval: earlier });
  expect(writes).toEqual(['patch request status', 'patch approval status']);
  for (const { status } of [world.request, world.approval].flatMap((each) => each ?? [])) {
    expect(status?.conditions?.find(({ type }) => type === 'Matched')).toMatchObject({
      ...{ status: 'False', reason: 'ApprovedClaimReplaced' },
    });
  }
  expect(world.approval?.status?.error?.message).toContain(
    'claim prod/data is not the approved one: its uid is uid-source, spec.source.uid is uid-earlier',
  );
  expect(JSON.stringify(world.request?.status)).not.toContain('uid-');
});

test('while no claim has the name, only the approval says that its claim is gone for good', () => {
  const gone = { ...asked, source: undefined, volume: undefined, approval: earlier };
  for (const [wanted, reason] of [
    [request(), 'SourceMissing'],
    [requestOf('uid-earlier'), 'SourceReplaced'],
  ] as const) {
    const { world } = settle(decide, { ...gone, request: wanted });
    expect(world.request?.status?.conditions?.at(-1)).toMatchObject({ type: 'Complete', reason });
    expect(world.approval?.status?.conditions?.at(-1)).toMatchObject({
      ...{ type: 'Complete', reason: 'ApprovedClaimReplaced' },
      message: expect.stringContaining('claim prod/data with uid uid-earlier, which is approved, does not exist'),
    });
  }
});

test('both sides get an Event with the same reason', () => {
  const onRequest = decide({ ...asked, approval: earlier }, now);
  const told = settle(decide, { ...asked, approval: earlier }).world.request;
  const onApproval = decide({ ...asked, request: told, approval: earlier }, now);
  const events = [onRequest, onApproval].map((decision) => {
    return decision.do === 'write' && decision.write.announce?.map(({ type, reason }) => `${type} ${reason}`);
  });
  expect([onRequest, onApproval].map(summaryOf)).toEqual(['patch request status', 'patch approval status']);
  expect(events).toEqual([['Warning ApprovedClaimReplaced'], ['Warning ApprovedClaimReplaced']]);
});

describe('what was begun is taken back when the approval is for another claim by now', () => {
  const begun: TransferWorld = { ...stage.withTarget, approval: earlier };
  test.each([
    ['the key of the request', decide],
    ['the key of the volume', decideByVolume],
  ])('by %s', (_, step) => {
    const { writes, world } = settle(step, begun);
    expect(writes.slice(0, 4)).toEqual(['patch volume', 'delete target', 'patch source', 'patch volume']);
    expect(world.volume?.metadata.annotations ?? {}).not.toHaveProperty(['longshore.dev/transfer']);
    expect(world.source?.metadata.finalizers).not.toContain(stage.ours);
  });
});

describe('past the point of no return', () => {
  test('the record says which claim was approved, whatever has its name by now', () => {
    const world = { ...stage.moved, source: stage.recreated, approval: approvalOf('uid-source') };
    const { world: end } = settle(decideByVolume, world);
    expect(end.approval?.status?.complete).toBe(true);
  });

  test('an approval for another claim is not used by a transfer that a grant allowed', () => {
    const byGrant = { ...stage.record, 'longshore.dev/transfer-approval': 'allow' };
    const world = { ...stage.moved, volume: stage.recorded(stage.ofTarget, byGrant), approval: earlier };
    const { world: end } = settle(decideByVolume, world);
    expect(end.approval?.status?.complete).not.toBe(true);
  });
});

describe('when the request is complete', () => {
  test('an approval for the claim that has the name by now is not used, and is told so', async () => {
    const ofPresent = approvalOf('uid-recreated');
    const { request: complete } = stage.restored;
    const cluster = clusterOf(complete ?? request(), ofPresent, stage.recreated, stage.standing());
    const { writes, world, decision } = settle(decide, await read(cluster, key, now));
    expect([writes, summaryOf(decision)]).toEqual([['patch approval status'], 'done Complete']);
    expect(world.approval?.status?.conditions?.at(-1)?.message).toContain('This approval is for the present claim');
  });

  test('one that was created again for the claim that has been moved counts as used', async () => {
    const cluster = clusterOf(stage.restored.request ?? request(), approvalOf('uid-source'), stage.standing());
    const { world } = settle(decide, await read(cluster, key, now));
    expect(world.approval?.status?.complete).toBe(true);
  });
});

test('grants are read where the approval is for another claim', async () => {
  const world = await read(clusterOf(request(), earlier, claim(), volume(), grant()), key, now);
  expect(world.grants).toEqual([grant()]);
  const covered = await read(clusterOf(request(), approvalOf('uid-source'), claim(), volume(), grant()), key, now);
  expect(covered.grants).toBeUndefined();
});
