import { describe, expect, test } from '@jest/globals';
import { matchTransfer } from '../../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { rebindVolume } from '../../../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import type { ClusterObject, TransferStatus } from '../../../../lib/kubernetes/objects.ts';
import { approval, claim, request, volume } from '../../../support/builders.ts';
import { clusterOf } from '../cluster-of.ts';
import { settle, summaryOf } from '../table.ts';
import { now, ofTarget, ours, record, recorded, recreated, standing } from './stages.ts';

/** The target of the first transfer, stage/copy, moves on to test/end, while a message of the first comes once more. */
const second = 'test/second/uid-second';
const secondRecord = {
  ...record,
  [ours]: second,
  'longshore.dev/transfer-source': 'stage/copy/uid-target',
  'longshore.dev/transfer-target': 'test/end',
  'longshore.dev/transfer-approval': 'again',
};
const secondRequest = request({
  metadata: { namespace: 'test', name: 'second', uid: 'uid-second' },
  spec: {
    source: { namespace: 'stage', name: 'copy', kind: 'PersistentVolumeClaim' },
    targetName: 'end',
    approvalName: 'again',
  },
});
const secondApproval = approval({
  metadata: { namespace: 'stage', name: 'again', uid: 'uid-again' },
  spec: {
    source: { name: 'copy', kind: 'PersistentVolumeClaim' },
    targetNamespace: 'test',
    requestName: 'second',
  },
});
const end = claim({
  metadata: {
    namespace: 'test',
    name: 'end',
    uid: 'uid-end',
    annotations: { 'longshore.dev/transferred-by': second },
  },
  status: { phase: 'Pending' },
});
const source = standing('Bound', {
  finalizers: ['kubernetes.io/pvc-protection', ours],
  annotations: {
    'longshore.dev/transferred-by': 'stage/move/uid-request',
    'longshore.dev/transferred-from': 'prod/data',
    [ours]: second,
    'longshore.dev/transfer-target': 'test/end',
  },
});

const complete: TransferStatus = { complete: true };
const ofSecond = [secondRequest, secondApproval, source, end];

async function replayOfFirst(...objects: ClusterObject[]) {
  const world = await matchTransfer.read(clusterOf(...objects), { namespace: 'stage', name: 'move' }, now);
  return settle(matchTransfer.decide, world);
}

async function volumeKey(...objects: ClusterObject[]) {
  const world = await rebindVolume.read(clusterOf(...objects), { name: 'volume-1' }, now);
  return { seen: world, ...settle(rebindVolume.decide, world) };
}

describe.each([
  ['complete', [request({ status: complete }), approval({ status: complete })], 'done Complete'],
  ['complete, its approval taken back', [request({ status: complete })], 'done Complete'],
  ['not known to be complete', [request(), approval()], 'wait VolumeNotBound'],
  ['not known to be complete, its approval taken back', [request()], 'wait ApprovalMissing'],
])('when the first request is %s, a message of it that comes once more', (_, first, answer) => {
  test.each([
    ['a record of the second', recorded(ofTarget, secondRecord)],
    ['no mark yet', volume({ spec: ofTarget })],
    [
      'the mark of a roll-back of the second',
      volume({ metadata: { annotations: { 'longshore.dev/transfer-undoing': second } }, spec: ofTarget }),
    ],
  ])('touches no claim and no volume that has %s', async (_name, held) => {
    const { writes, decision } = await replayOfFirst(...first, ...ofSecond, held, recreated);
    expect(writes.filter((write) => !write.endsWith(' status'))).toEqual([]);
    expect(summaryOf(decision)).toBe(answer);
  });
});

test("the volume's own message goes by the record of the second", async () => {
  const held = recorded(ofTarget, secondRecord);
  const { seen, writes, decision } = await volumeKey(request(), approval(), recreated, ...ofSecond, held);
  expect([seen.source, seen.target, seen.request]).toEqual([source, end, secondRequest]);
  expect([writes, summaryOf(decision)]).toEqual([['patch volume', 'delete source'], 'wait SourceHeld']);
});

test('an approval that is given again after the end leads to its request, which tells it, and to nothing else', async () => {
  const first = [request({ status: complete }), approval({ metadata: { uid: 'uid-again', generation: 1 } })];
  const { writes, decision } = await replayOfFirst(...first, standing(), volume({ spec: ofTarget }), recreated);
  expect([writes[0], summaryOf(decision)]).toEqual(['patch approval status', 'done Complete']);
  expect(writes.filter((write) => !write.endsWith(' status'))).toEqual([]);
});
