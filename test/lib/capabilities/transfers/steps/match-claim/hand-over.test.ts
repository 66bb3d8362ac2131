import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-claim/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim } from '../../../../../../lib/kubernetes/objects.ts';
import { pod, protection, settings } from '../../../../../support/builders.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import * as offer from '../../offer-stages.ts';

const off = settings('transfersByAnnotation');
const onTarget = { on: ['target' as const] };
const held = offer.letGo({
  deletionTimestamp: offer.longAgo,
  finalizers: [protection, 'example.com/lock', offer.fence],
});
const confirmed = { ...offer.deleted, answered: ['source', 'target'] } as const;
const noTarget: TransferWorld = { ...confirmed, target: undefined };
const staying = { ...offer.staying, answered: ['source', 'target'] } as const;
const release = {
  metadata: {
    annotations: { 'longshore.dev/transfer-released': offer.now.toISOString(), 'longshore.dev/transfer-stopped': null },
    labels: { 'longshore.dev/kept': 'without-claim' },
  },
};

describe('a source that its owner has deleted', () => {
  testTable(decide, [
    {
      situation: 'and that is held for long says by what, and by which pods, as does the claim that accepts',
      world: { ...offer.agreed, source: held, pods: [pod()] },
      says: 'wait SourceHeld',
      saying: `held by ${protection}, example.com/lock. The volume moves when the claim is released, usually when all pods that use it have been deleted (scale down any workload that recreates them): app`,
      on: ['source', 'target'],
    },
    {
      situation: 'and that is held for long says so itself where nobody accepts',
      world: { ...offer.agreed, source: held, target: undefined },
      says: 'wait SourceHeld',
      on: ['source'],
    },
    {
      situation: 'and whose volume nobody can have yet leaves it to those who list what is kept',
      world: noTarget,
      write: 'patch volume',
      exactly: { metadata: { labels: { 'longshore.dev/kept': 'by-deleted-claim' } } },
      next: 'patch source status',
    },
    {
      situation: 'before anybody accepts stays, so that a quota counts its volume, and says how to get that back',
      world: { ...staying, target: undefined },
      says: 'wait AwaitingAcceptance',
      saying:
        'claim prod/data is being deleted and stays until claim stage/copy has volume volume-1: no claim stage/copy accepts the volume yet. Its owner must create it with the annotation transferAccept: prod/data. If another claim is meant, name that one in the annotation transferRequest. To get the volume back, offer it to a claim with another name in this namespace (annotation transferRequest: prod/<name>), and accept it there. Until that claim has the volume, a ResourceQuota counts both. If the quota has no room for another claim of this size, ask its administrator to raise it',
      on: ['source'],
    },
    {
      situation: 'stays in the same way while the claim that accepts does not fit, which is told what is wrong',
      world: { ...staying, target: offer.awaiting({}, { storageClassName: 'slow' }) },
      says: 'reject AwaitingAcceptance',
      on: ['target', 'source'],
      reasons: { target: 'TargetDiffers', source: 'AwaitingAcceptance' },
    },
    {
      situation: 'is told first where the claim that accepts is changed all the time',
      world: { ...staying, target: offer.awaiting({}, { storageClassName: 'slow' }), contended: ['target'] },
      says: 'reject AwaitingAcceptance',
      on: ['source', 'target'],
      reasons: { target: 'TargetDiffers', source: 'AwaitingAcceptance' },
    },
    {
      situation: 'stays in the same way while transfers are off: its volume changes hands later',
      world: { ...staying, settings: off },
      says: 'wait TransfersOff',
      on: ['target', 'source'],
    },
    {
      situation: 'of a namespace that goes is let go once the release is on the volume, where it outlives the claim',
      world: { ...noTarget, ...offer.going },
      write: 'patch volume',
      exactly: release,
      next: 'patch source',
    },
    {
      situation: 'of a namespace that goes is let go in the same way while the claim that accepts does not fit',
      world: { ...confirmed, ...offer.going, target: offer.awaiting({}, { storageClassName: 'slow' }) },
      write: 'patch volume',
      exactly: release,
      next: 'patch source',
    },
    {
      situation: 'of a namespace that goes is let go in the same way while transfers are off',
      world: { ...confirmed, ...offer.going, settings: off },
      write: 'patch volume',
      exactly: release,
      next: 'patch source',
    },
    {
      situation: 'is still waited for by a pod that has the volume mounted, its protection taken off by force',
      world: { ...confirmed, pods: [pod()] },
      says: 'wait SourceInUse',
      saying: 'used by pods: app.',
      on: ['source', 'target'],
    },
    {
      situation: 'is not waited for by a pod that has no node yet, which cannot have the volume',
      world: { ...confirmed, pods: [{ ...pod(), spec: { volumes: pod().spec?.volumes ?? [] } }] },
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch source',
    },
    {
      situation: 'is read again when what was read is older than five seconds',
      world: { ...confirmed, readAt: new Date(offer.now.getTime() - 5_001) },
      answer: 'reread ConsentTooOld',
    },
  ]);

  test('before anybody accepts goes with its namespace, and its volume waits on Retain with the offer on it', () => {
    const { writes, decision, world } = settle(decide, { ...noTarget, ...offer.going });
    expect([writes, summaryOf(decision)]).toEqual([['patch volume', 'patch source'], 'wait AwaitingAcceptance']);
    expect(world.source?.metadata).toMatchObject({ finalizers: [], annotations: offer.wish });
    expect(world.volume?.spec.persistentVolumeReclaimPolicy).toBe('Retain');
    expect(world.volume?.metadata.annotations).toMatchObject(offer.record);
  });
});

describe('a volume whose source is gone', () => {
  const accepts = (target: Claim, more: Partial<TransferWorld> = {}) => ({ ...offer.orphaned, target, ...more });
  const taken = (metadata: object) => offer.recorded(offer.released, { claimRef: { namespace: 'test', ...metadata } });
  const earlier = { ...offer.ofTarget.claimRef, uid: 'uid-earlier' };
  testTable(decide, [
    {
      situation: 'goes to the claim that accepts it, once that is confirmed to be there',
      world: accepts(offer.accepting()),
      write: 'patch target',
      exactly: {},
      next: 'patch volume',
    },
    {
      situation: 'goes to it although a claim with the name of the source is there again',
      world: accepts(offer.accepting(), { source: offer.recreated, answered: ['target'] }),
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch target',
    },
    {
      situation: 'does not go while transfers are off',
      world: accepts(offer.accepting(), { settings: off }),
      says: 'wait TransfersOff',
      ...onTarget,
    },
    {
      situation: 'does not go to a claim that does not fit',
      world: accepts(offer.accepting({}, { volumeMode: 'Block' })),
      says: 'reject TargetDiffers',
      ...onTarget,
    },
    {
      situation: 'does not go to a claim that is being deleted',
      world: accepts(offer.accepting({ deletionTimestamp: offer.longAgo })),
      says: 'wait TargetDeleting',
      ...onTarget,
    },
    {
      situation: 'and that nobody has yet is found by those who list what is kept',
      world: { ...offer.orphaned, volume: offer.recorded(offer.released) },
      write: 'patch volume',
      exactly: { metadata: { labels: { 'longshore.dev/kept': 'without-claim' } } },
      next: 'wait AwaitingAcceptance',
    },
    { situation: 'waits as long as nobody accepts it', world: offer.orphaned, answer: 'wait AwaitingAcceptance' },
    {
      situation: 'is left alone when somebody has bound it to another claim',
      world: accepts(offer.accepting(), { volume: taken({ name: 'thief', uid: 'uid-thief' }) }),
      says: 'reject VolumeTaken',
      saying: 'test/thief',
      ...onTarget,
    },
    {
      situation: 'follows the name to a claim that was made anew, the one that had it being gone',
      world: accepts(offer.accepting({ uid: 'uid-anew' }), {
        volume: offer.recorded(offer.released, { claimRef: earlier }),
        answered: ['target'],
      }),
      write: 'patch volume',
      body: { spec: { claimRef: { namespace: 'stage', name: 'copy', uid: 'uid-anew' } } },
      next: 'patch target',
    },
    {
      situation: 'does not follow it before the server has confirmed that the claim is there',
      world: accepts(offer.accepting({ uid: 'uid-anew' }), {
        volume: offer.recorded(offer.released, { claimRef: earlier }),
        answered: ['source', 'volume'],
      }),
      write: 'patch target',
      exactly: {},
      next: 'patch volume',
    },
  ]);
});

test('a volume that its driver is making larger stays, whoever accepts it, until that is done', () => {
  const resizing: Claim = {
    ...offer.letGo(),
    status: {
      phase: 'Bound',
      conditions: [{ type: 'Resizing', status: 'True', reason: '', message: '', lastTransitionTime: '' }],
    },
  };
  const answered = ['source', 'target'] as const;
  const { writes, decision } = settle(decide, { ...offer.agreed, source: resizing, answered });
  expect(writes.filter((write) => !write.endsWith(' status'))).toEqual([]);
  expect(summaryOf(decision)).toBe('wait VolumeResizing');
});

describe('a source that vanished before it was seen to be deleted', () => {
  const vanished: TransferWorld = { ...offer.agreed, source: undefined };
  const toItself = offer.recorded({ 'pv.kubernetes.io/transfer-destination': 'prod/data' });
  const stopped = { ...vanished, volume: offer.recorded({ 'longshore.dev/transfer-stopped': 'SourceVanished' }) };
  testTable(decide, [
    {
      situation: 'leaves a volume that nobody gets, with a note of that',
      world: vanished,
      write: 'patch volume',
      exactly: {
        metadata: {
          annotations: { 'longshore.dev/transfer-stopped': 'SourceVanished' },
          labels: { 'longshore.dev/kept': 'without-claim' },
        },
      },
      next: 'patch target status',
    },
    {
      situation: 'even when a claim of its name is there again, which is not taken for it',
      world: { ...vanished, source: offer.pending({ uid: 'uid-recreated' }) },
      write: 'patch volume',
      body: { metadata: { annotations: { 'longshore.dev/transfer-stopped': 'SourceVanished' } } },
      next: 'reject SourceVanished',
    },
    {
      situation: 'says nothing to a claim to which that one is offered, and which its key tells how that stands',
      world: { ...stopped, source: offer.pending({ uid: 'uid-recreated' }) },
      answer: 'reject SourceVanished',
    },
    {
      situation: 'leaves one that was offered to nobody to a claim of its name, in its own namespace',
      world: {
        ...vanished,
        target: undefined,
        targetNamespace: vanished.sourceNamespace,
        destination: { namespace: 'prod', name: 'data' },
        volume: toItself,
      },
      write: 'patch volume',
      body: {
        metadata: {
          annotations: {
            'longshore.dev/transfer-released': offer.now.toISOString(),
            'longshore.dev/transfer-destination-namespace': 'uid-prod',
          },
          labels: { 'longshore.dev/kept': 'without-claim' },
        },
        spec: { claimRef: { namespace: 'prod', name: 'data', uid: 'uid-source' } },
      },
      next: 'wait AwaitingAcceptance',
    },
    { situation: 'is told to the claim that accepts', world: stopped, says: 'reject SourceVanished', ...onTarget },
    {
      situation: 'is over when an administrator says that the volume may go',
      world: { ...stopped, volume: offer.recorded(offer.released), answered: ['target'] },
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch target',
    },
  ]);
});

test('a target that got another volume in the moment of the move is left as it is, and so is the volume', () => {
  const target = offer.accepting({}, { volumeName: 'volume-2' });
  const { writes, decision } = settle(decide, { ...offer.unfenced, target });
  expect(writes.filter((write) => !write.endsWith(' status'))).toEqual([]);
  expect(decision).toMatchObject({ reason: 'TargetBound', message: expect.stringContaining('got volume volume-2') });
});
