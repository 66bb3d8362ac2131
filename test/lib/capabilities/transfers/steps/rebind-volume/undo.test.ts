import { describe, expect, test } from '@jest/globals';
import { matchTransfer } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { approval, claim, namespace, protection, request, volume } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { now, ours, undoingMark } = stage;
const deletionTimestamp = '2026-03-01T11:00:00Z';
const withdrawn = (world: TransferWorld): TransferWorld => ({ ...world, request: undefined });
const marked = (world: TransferWorld): TransferWorld => ({ ...world, volume: stage.undoing() });
const mark = {
  metadata: { annotations: { [undoingMark]: stage.transfer, 'longshore.dev/transfer-target': 'stage/copy' } },
};
const unmark = { metadata: { annotations: { [undoingMark]: null, 'longshore.dev/transfer-target': null } } };
const unfence = {
  metadata: { finalizers: [protection], annotations: { [ours]: null, 'longshore.dev/transfer-target': null } },
};

const keptPolicy = { 'longshore.dev/original-reclaim-policy': 'Delete' };
const kept = ((): Volume => {
  const marks = {
    'pv.kubernetes.io/transfer-status': 'withdrawn',
    'longshore.dev/transfer-offered-by': 'prod/data/uid-source',
  };
  const annotations = { ...stage.undoing().metadata.annotations, ...marks, ...keptPolicy };
  return volume({ metadata: { annotations }, spec: { persistentVolumeReclaimPolicy: 'Retain' } });
})();

const parked = {
  metadata: {
    annotations: {
      'pv.kubernetes.io/transfer-status': 'pending',
      'pv.kubernetes.io/transfer-source': 'prod/data',
      'pv.kubernetes.io/transfer-destination': 'prod/data',
      'longshore.dev/transfer-offered-by': 'prod/data/uid-source',
      ...keptPolicy,
    },
  },
  spec: { persistentVolumeReclaimPolicy: 'Retain' },
};
const left = ((): Volume => {
  const annotations = { ...stage.undoing().metadata.annotations, ...parked.metadata.annotations };
  return volume({ metadata: { annotations }, spec: { persistentVolumeReclaimPolicy: 'Retain' } });
})();
const home = namespace('prod');
const terminating = { ...home, metadata: { ...home.metadata, deletionTimestamp } };
const madeAt = home.metadata.creationTimestamp ?? '';

/** Kept for a claim of the namespace with this uid. */
function keptOf(uid: string): Volume {
  const annotations = { ...kept.metadata.annotations, 'longshore.dev/transfer-source-namespace': `${uid}/${madeAt}` };
  return { ...kept, metadata: { ...kept.metadata, annotations } };
}

describe('before the point of no return a withdrawal takes everything back, and the volume is marked first', () => {
  const rows: [string, TransferWorld][] = [
    ['a request that is gone is a withdrawal', withdrawn(stage.withTarget)],
    [
      'a request that is being deleted is a withdrawal',
      { ...stage.withTarget, request: request({ metadata: { deletionTimestamp } }) },
    ],
    ['an approval that is gone is a withdrawal', { ...stage.withTarget, approval: undefined }],
    [
      'an approval that is being deleted is a withdrawal',
      { ...stage.withTarget, approval: approval({ metadata: { deletionTimestamp } }) },
    ],
    [
      'an approval that is for another request by now is a withdrawal',
      { ...stage.withTarget, approval: approval({ spec: { requestName: 'other' } }) },
    ],
  ];
  testTable(
    decide,
    rows.map(([situation, world]) => ({ situation, world, write: 'patch volume', body: mark, next: 'delete target' })),
  );
  testTable(decide, [
    {
      situation: 'a fence without a target is a transfer that has begun',
      world: withdrawn(stage.withFence),
      write: 'patch volume',
      body: mark,
      next: 'patch source',
    },
  ]);
});

describe('each step of a roll-back in its order', () => {
  const undone = marked(withdrawn(stage.withTarget));
  testTable(decide, [
    {
      situation: 'the target is deleted, which nothing uses yet',
      world: undone,
      write: 'delete target',
      next: 'patch source',
    },
    {
      situation: 'then the source is let go, with nothing of the transfer left on it',
      world: { ...undone, target: undefined },
      write: 'patch source',
      body: unfence,
      next: 'patch volume',
    },
    {
      situation: 'the mark goes last, so that a roll-back that breaks off is found again',
      world: { ...undone, target: undefined, source: claim() },
      write: 'patch volume',
      body: unmark,
      next: 'done NoTransfer',
    },
    {
      situation: 'the source is let go first where the target is changed all the time',
      world: { ...undone, contended: ['target'] },
      write: 'patch source',
      body: unfence,
      next: 'delete target',
    },
    {
      situation: 'or where its deletion is refused, which is no reason to hold the source',
      world: { ...marked(stage.withTarget), refused: { slot: 'target', message: 'denied' } },
      write: 'patch source',
      body: unfence,
      next: 'patch volume',
    },
    {
      situation: 'and where it goes on the mark goes as well, so that others can have the volume moved',
      world: { ...undone, source: claim(), contended: ['target', 'target', 'target'] },
      write: 'patch volume',
      body: unmark,
      next: 'done NoTransfer',
    },
    {
      situation: 'it goes on, even when both sides want the transfer again',
      world: marked(stage.withTarget),
      write: 'delete target',
      next: 'patch source',
    },
    {
      situation: 'a target that is being deleted is not deleted again',
      world: { ...undone, target: stage.target({ deletionTimestamp }) },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'a target that stands for itself is never deleted',
      world: { ...undone, target: stage.standing('Pending') },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'a target that waits for another volume is left alone',
      world: { ...undone, target: { ...stage.target(), spec: { volumeName: 'volume-2' } } },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'a target that is bound is never deleted',
      world: { ...undone, target: stage.target({}, 'Bound') },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'a target claim of someone else is left alone',
      world: { ...undone, target: stage.target({ annotations: {} }) },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'a source that was removed by force is not waited for',
      world: { ...undone, target: undefined, source: undefined },
      write: 'patch volume',
      body: unmark,
      next: 'done NoTransfer',
    },
    {
      situation: 'the mark of another transfer is taken off before this one is marked',
      world: { ...withdrawn(stage.withFence), volume: stage.undoing('test/other/uid-other') },
      write: 'patch volume',
      body: unmark,
      next: 'patch volume',
    },
    {
      situation: 'a mark on a claim, where any user can write it, is none',
      world: {
        ...stage.withTarget,
        source: stage.fenced({ annotations: { ...stage.fence, [undoingMark]: stage.transfer } }),
      },
      write: 'patch volume',
      body: { metadata: { annotations: stage.record } },
      next: 'delete source',
    },
    {
      situation: 'what the server refuses is said on a request that is there',
      world: { ...marked(stage.withTarget), refused: { slot: 'source', message: 'denied by policy' } },
      tells: 'reject WriteRefused',
    },
  ]);
});

describe('a source that its owner has deleted meanwhile may have been relied on to move', () => {
  const deleted = { ...marked(withdrawn(stage.withTarget)), source: stage.fenced({ deletionTimestamp }) };
  const going = { ...deleted, sourceNamespace: terminating };
  testTable(decide, [
    {
      situation: 'its volume becomes one that is offered to nobody',
      world: deleted,
      write: 'patch volume',
      body: parked,
      next: 'delete target',
    },
    {
      situation: 'also where it was kept for its owner when the record went',
      world: { ...deleted, volume: kept },
      write: 'patch volume',
      body: parked,
      next: 'delete target',
    },
    {
      situation: 'then its fence is left to its owner, and stays',
      world: { ...deleted, target: undefined, volume: left },
      write: 'patch source',
      exactly: { metadata: { annotations: unfence.metadata.annotations } },
      next: 'patch volume',
    },
    {
      situation: 'in a namespace that goes it cannot stay: its volume is kept',
      world: going,
      write: 'patch volume',
      body: {
        metadata: { annotations: { 'pv.kubernetes.io/transfer-status': 'withdrawn', ...keptPolicy } },
        spec: { persistentVolumeReclaimPolicy: 'Retain' },
      },
      next: 'delete target',
    },
    {
      situation: 'and then it is let go',
      world: { ...going, target: undefined, volume: kept },
      write: 'patch source',
      body: unfence,
      next: 'patch volume',
    },
  ]);
});

describe('a volume that is kept for a claim that is gone', () => {
  const world = { volume: keptOf('uid-prod'), sourceNamespace: home, pods: [], readAt: now };
  const elsewhere = volume({ spec: { claimRef: { namespace: 'prod', name: 'data' } } });
  const unmarked = { write: 'patch volume', exactly: unmark, next: 'done NoTransfer' };
  testTable(decide, [
    {
      situation: 'is for a claim of its name in its own namespace',
      world,
      write: 'patch volume',
      body: {
        metadata: {
          annotations: {
            'pv.kubernetes.io/transfer-status': 'pending',
            'pv.kubernetes.io/transfer-destination': 'prod/data',
            'longshore.dev/transfer-destination-namespace': 'uid-prod',
            'longshore.dev/transfer-released': now.toISOString(),
          },
        },
        spec: { claimRef: { namespace: 'prod', name: 'data', uid: 'uid-source' } },
      },
      next: 'patch volume',
    },
    {
      situation: 'stays kept where other people have the name',
      world: { ...world, volume: keptOf('uid-old') },
      ...unmarked,
    },
    {
      situation: 'stays kept where the namespace goes',
      world: { ...world, sourceNamespace: terminating },
      ...unmarked,
    },
    {
      situation: 'stays kept where the namespace is gone',
      world: { ...world, sourceNamespace: undefined },
      ...unmarked,
    },
    {
      situation: 'stays as it is where an administrator has given it to somebody',
      world: { ...world, volume: { ...keptOf('uid-prod'), spec: elsewhere.spec } },
      ...unmarked,
    },
  ]);
});

const rollBack = ['patch volume', 'delete target', 'patch source', 'patch volume'];

test('a withdrawal at its latest moment leaves source and volume as they were', () => {
  const { writes, world } = settle(decide, withdrawn(stage.withTarget));
  expect(writes).toEqual(rollBack);
  expect(world.source?.metadata).toMatchObject({ finalizers: [protection], annotations: {} });
  expect(world.volume?.metadata.annotations).toEqual({});
  expect(world.volume?.spec).toEqual(volume().spec);
  expect(world.target?.metadata.deletionTimestamp).toBeDefined();
});

test('a source that is deleted while its transfer is withdrawn stays with its volume', () => {
  const start = { ...stage.withTarget, approval: undefined, source: stage.fenced({ deletionTimestamp }) };
  const { writes, world, decision } = settle(decide, start);
  expect(writes).toEqual(['patch volume', ...rollBack]);
  // What it has become concerns other objects, which are read then.
  expect(summaryOf(decision)).toBe('reread DestinationChanged');
  const { finalizers } = stage.fenced().metadata;
  expect(world.source?.metadata).toMatchObject({ finalizers, annotations: {}, deletionTimestamp });
  expect(world.volume?.spec).toEqual({ ...volume().spec, persistentVolumeReclaimPolicy: 'Retain' });
  expect(world.volume?.metadata.annotations).toMatchObject(keptPolicy);
});

test('the request takes back what it has begun just as the volume does', () => {
  const { writes, decision } = settle(matchTransfer.decide, { ...stage.withTarget, approval: undefined });
  expect(writes).toEqual([...rollBack, 'patch request status']);
  expect(summaryOf(decision)).toBe('wait ApprovalMissing');
});

describe('when the volume of a fenced claim is gone', () => {
  const gone = { ...stage.withTarget, volume: undefined, source: stage.fenced() };
  testTable(matchTransfer.decide, [
    {
      situation: 'the fence is taken off once the approval is withdrawn, and the target after it',
      world: { ...gone, approval: undefined },
      write: 'patch source',
      body: unfence,
      next: 'delete target',
    },
    {
      situation: 'and the request is told when there is no target',
      world: { ...gone, approval: undefined, target: undefined },
      write: 'patch source',
      body: unfence,
      next: 'patch request status',
    },
    {
      situation: 'the fence of another transfer is left alone',
      world: {
        ...gone,
        approval: undefined,
        target: undefined,
        source: stage.fenced({ annotations: { [ours]: 'test/other/uid-other' } }),
      },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'the fence stays while both sides want the transfer, since the volume may be restored',
      world: gone,
      tells: 'wait VolumeMissing',
    },
  ]);
});

test('after a roll-back it is for the request to begin again, and not for the volume', () => {
  const { world } = settle(decide, withdrawn(stage.withTarget));
  const again = { ...world, request: request({ metadata: { uid: 'uid-anew' } }), target: undefined };
  expect(decide(again, now)).toEqual({ do: 'done', reason: 'NoTransfer' });
  expect(summaryOf(matchTransfer.decide(again, now))).toBe('patch source');
});
