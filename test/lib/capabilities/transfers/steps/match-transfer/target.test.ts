import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Claim, TransferRequest } from '../../../../../../lib/kubernetes/objects.ts';
import { claim, pod, protection, referenceTo, request, settings, volume } from '../../../../../support/builders.ts';
import { testTable, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

const longAgo = '2026-03-01T11:00:00Z';
const refused = { slot: 'target', message: 'exceeded quota: claims' } as const;

describe('what is wrong with the target is said before anything is destroyed', () => {
  const foreign = stage.target({ annotations: {} });
  const forged = { ...stage.target(), spec: { volumeName: 'volume-2' } };
  const said = {
    type: 'Complete',
    status: 'False',
    reason: 'TargetRefused',
    message: '',
    lastTransitionTime: '',
  } as const;
  const refusedBefore = request({ status: { complete: false, conditions: [said] } });
  const ofAnother = stage.target({ annotations: { 'longshore.dev/transferred-by': 'stage/other/uid-other' } });
  testTable(decide, [
    {
      situation: 'a claim of its name exists',
      world: { ...stage.asked, target: foreign },
      tells: 'reject TargetExists',
      saying: 'stage/copy',
    },
    {
      situation: 'a claim with our mark that waits for another volume goes, as nothing will ever bind it',
      world: { ...stage.asked, target: forged },
      write: 'delete target',
      next: 'patch request status',
    },
    {
      situation: 'a claim of another transfer has its name',
      world: { ...stage.asked, target: ofAnother },
      tells: 'reject TargetExists',
    },
    {
      situation: 'the server refuses it: the source is let go',
      world: { ...stage.withFence, refused },
      write: 'patch volume',
      body: { metadata: { annotations: { [stage.undoingMark]: stage.transfer } } },
      next: 'patch source',
    },
    {
      situation: 'the server has refused it, and the source has been let go',
      world: { ...stage.asked, refused },
      tells: 'reject TargetRefused',
      saying: 'exceeded quota: claims',
    },
    {
      situation: 'the server has refused it before: it is tried out before the source is fenced again',
      world: { ...stage.asked, request: refusedBefore },
      write: 'create trial',
      next: 'patch source',
    },
    {
      situation: 'what is tried out is refused still: nothing is said anew, and nothing is held',
      world: { ...stage.asked, request: refusedBefore, refused: { ...refused, slot: 'trial' } },
      tells: 'reject TargetRefused',
      saying: 'exceeded quota: claims',
    },
    {
      situation: 'a source that its owner has deleted stays behind the fence',
      world: { ...stage.withFence, source: stage.fenced({ deletionTimestamp: longAgo }), refused },
      tells: 'reject TargetRefused',
    },
    {
      situation: 'it is being deleted, perhaps for ever: the source is let go',
      world: { ...stage.withFence, target: stage.target({ deletionTimestamp: longAgo }) },
      write: 'patch volume',
      body: { metadata: { annotations: { [stage.undoingMark]: stage.transfer } } },
      next: 'patch source',
    },
    {
      situation: 'it is being deleted, and the source is not fenced',
      world: { ...stage.asked, target: stage.target({ deletionTimestamp: longAgo }) },
      tells: 'wait TargetDeleting',
    },
    {
      situation: 'pods still use the source',
      world: { ...stage.withTarget, pods: [pod()] },
      tells: 'wait SourceInUse',
      saying: 'pods: app.',
    },
    {
      situation: 'a claim of its name that was there after the fence gives the source free meanwhile',
      world: { ...stage.withFence, target: foreign },
      write: 'patch volume',
      body: { metadata: { annotations: { [stage.undoingMark]: stage.transfer } } },
      next: 'patch source',
    },
    {
      situation: 'a claim that accepts the source by its annotation is not part of this transfer either',
      world: { ...stage.asked, target: stage.target({ annotations: { transferAccept: 'prod/data' } }) },
      tells: 'reject TargetExists',
    },
  ]);
});

describe('what is waited for after the point of no return is said as well', () => {
  const heldForLong = stage.fenced({ deletionTimestamp: longAgo });
  const leaving = stage.released.source ?? claim();
  const grown = { ...leaving, spec: { ...leaving.spec, resources: { requests: { storage: '5Gi' } } } };
  const resizing: Claim = {
    ...leaving,
    status: {
      phase: 'Bound',
      conditions: [{ type: 'Resizing', status: 'True', reason: '', message: '', lastTransitionTime: '' }],
    },
  };
  const unscheduled = { ...pod({ metadata: { name: 'waiting' } }), spec: { volumes: pod().spec?.volumes ?? [] } };
  const taken = { claimRef: { namespace: 'test', name: 'thief', uid: 'uid-thief' } };
  testTable(decide, [
    {
      situation: 'a claim that has the name of a target that was lost: another request would not get the volume',
      world: { ...stage.released, source: undefined, target: stage.target({ annotations: {} }) },
      tells: 'reject TargetExists',
      saying: 'Keep this request until then',
    },
    {
      situation: 'the same where the source is held for it, which the key of the volume tells',
      world: { ...stage.released, target: stage.target({ annotations: {} }) },
      tells: 'reject TargetExists',
    },
    {
      situation: 'a volume that its driver is making larger',
      world: { ...stage.released, source: resizing },
      tells: 'wait VolumeResizing',
    },
    {
      situation: 'a target that the source has outgrown is made anew, so that its quota counts what it gets',
      world: { ...stage.released, source: grown },
      write: 'delete target',
      next: 'patch request status',
    },
    {
      situation: 'a volume that has grown beyond what its own claim asks for is counted as it is',
      world: { ...stage.released, volume: stage.recorded({ capacity: { storage: '5Gi' } }) },
      write: 'delete target',
      next: 'patch request status',
    },
    {
      situation: 'unless an administrator allows claims that ask for less',
      world: {
        ...stage.released,
        volume: stage.recorded({ capacity: { storage: '5Gi' } }),
        settings: { ...settings(), smallerRequests: { isOn: true } },
      },
      write: 'patch volume',
      next: 'patch approval status',
    },
    {
      situation: 'a volume that has another attributes class by now is counted for that',
      world: { ...stage.released, volume: stage.recorded({ volumeAttributesClassName: 'gold' }) },
      write: 'delete target',
      next: 'patch request status',
    },
    {
      situation: 'the same before the point of no return, where everything begins anew',
      world: { ...stage.withTarget, volume: volume({ spec: { volumeAttributesClassName: 'gold' } }) },
      write: 'delete target',
      next: 'patch volume',
    },
    {
      situation: 'the server confirms that the source is as it was read before the volume moves',
      world: { ...stage.released, answered: ['volume'] },
      write: 'patch source',
      exactly: {},
      next: 'patch volume',
    },
    {
      situation: 'but not when it has the volume already',
      world: { ...stage.used, source: grown },
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'a source that has been held for long',
      world: { ...stage.deleted, source: heldForLong },
      tells: 'wait SourceHeld',
      saying: protection,
    },
    {
      situation: 'pods that still have the volume of a source that was removed by force',
      world: { ...stage.withRecord, source: undefined, pods: [pod()] },
      tells: 'wait SourceInUse',
      saying: 'pods: app.',
    },
    {
      situation: 'pods that still have the volume of a source whose protection was taken off by force',
      world: { ...stage.released, pods: [unscheduled, pod()] },
      tells: 'wait SourceInUse',
      saying:
        'pods: app. The transfer continues when they have been deleted. Scale down any workload that recreates them',
    },
    {
      situation: 'but not for a pod that has no node yet, which cannot have the volume',
      world: { ...stage.released, pods: [unscheduled] },
      write: 'patch volume',
      body: { spec: { claimRef: { uid: 'uid-target' } } },
      next: 'patch approval status',
    },
    {
      situation: 'nor for pods once the volume has left the source',
      world: { ...stage.used, pods: [pod()] },
      write: 'patch source',
      next: 'patch target',
    },
    {
      situation: 'a volume that someone else took',
      world: { ...stage.released, volume: stage.recorded(taken) },
      tells: 'reject VolumeTaken',
      saying: 'test/thief',
    },
    {
      situation: 'a target that is gone and that the server refuses now',
      world: { ...stage.released, source: undefined, target: undefined, refused },
      tells: 'reject TargetRefused',
    },
    {
      situation: 'the same where the source is held for it, which the key of the volume tells',
      world: { ...stage.released, target: undefined, refused },
      tells: 'reject TargetRefused',
    },
    {
      situation: 'a target that was deleted is made anew',
      world: { ...stage.moved, target: undefined },
      write: 'create target',
      next: 'reread RequestOlderThanTarget',
    },
  ]);
});

describe('what the server refuses of the other objects is said, and not tried again', () => {
  const message = 'denied by policy "claims"';
  testTable(decide, [
    {
      situation: 'the fence',
      world: { ...stage.asked, refused: { slot: 'source', message } },
      tells: 'reject WriteRefused',
      saying: 'the source cannot be changed: denied by policy "claims"',
    },
    {
      situation: 'the record',
      world: { ...stage.withTarget, refused: { slot: 'volume', message } },
      tells: 'reject WriteRefused',
      saying: 'the volume cannot be changed: denied by policy "claims"',
    },
    {
      situation: 'the deletion of the source',
      world: { ...stage.withRecord, refused: { slot: 'source', message } },
      tells: 'reject WriteRefused',
    },
  ]);
});

describe('the target has nothing that was true of the source alone', () => {
  const untrue = [
    'transferRequest',
    'transferAccept',
    'pvc.kubernetes.io/transfer-status',
    'longshore.dev/transfer-volume',
    stage.ours,
    'longshore.dev/transferred-by',
    'longshore.dev/transferred-from',
    'kubernetes.io/description',
    'pv.kubernetes.io/bind-completed',
    'pv.kubernetes.io/bound-by-controller',
    'volume.kubernetes.io/selected-node',
    'volume.beta.kubernetes.io/storage-provisioner',
    'kubectl.kubernetes.io/last-applied-configuration',
    'snapshot.storage.k8s.io/origin',
    'argocd.argoproj.io/tracking-id',
    'meta.helm.sh/release-name',
    'kapp.k14s.io/identity',
    'kustomize.toolkit.fluxcd.io/checksum',
  ];
  const own = { note: 'mine', 'example.com/note': 'mine', 'notkubernetes.io/note': 'mine', transferRequests: 'mine' };
  const labels = { app: 'shop', 'backup.example.com/schedule': 'daily', 'app.kubernetes.io/instance': 'shop' };
  const untruths = Object.fromEntries(untrue.map((name) => [name, 'of the source']));
  const source = stage.fenced({ labels, annotations: { ...untruths, ...own, ...stage.fence } });
  const mark = { 'longshore.dev/transferred-by': stage.transfer };
  const made = (spec: Partial<TransferRequest['spec']>) => {
    const world = { ...stage.withFence, source, request: request({ spec }) };
    return (writeOf(decide(world, stage.now)) as { body: Claim }).body.metadata;
  };

  test('nothing that other people wrote comes along where nobody asks for it', () => {
    expect(made({})).toMatchObject({ annotations: mark });
    expect(made({}).annotations).toEqual(mark);
    expect(Object.keys(made({})).toSorted()).toEqual(['annotations', 'name', 'namespace', 'ownerReferences']);
  });

  test('what is asked for by name or by prefix comes along', () => {
    const asked = made({ copyAnnotations: ['note', 'example.com/*', 'none'], copyLabels: ['app'] });
    expect(asked.annotations).toEqual({ note: 'mine', 'example.com/note': 'mine', ...mark });
    expect(asked.labels).toEqual({ app: 'shop' });
  });

  test('of all nothing comes along that was true of the source alone, or by which tools know their objects', () => {
    const asked = made({ copyAnnotations: ['*'], copyLabels: ['*'] });
    expect(asked.annotations).toEqual({ ...own, ...mark });
    expect(asked.labels).toEqual({ app: 'shop', 'backup.example.com/schedule': 'daily' });
  });
});

describe('the target counts for what the volume is', () => {
  const made = (world: Partial<TransferWorld>) =>
    (writeOf(decide({ ...stage.withFence, ...world }, stage.now)) as { body: Claim }).body.spec;
  const of = (spec: object) => volume({ spec: { claimRef: referenceTo(stage.fenced()), ...spec } });

  test('with its size, where the source asks for less', () => {
    const requests = { storage: '10Gi' };
    expect(made({ volume: of({ capacity: requests }) }).resources).toEqual({ requests });
  });

  test('with what the source asks for, where an administrator lets claims ask for less', () => {
    const settled = { ...settings(), smallerRequests: { isOn: true } as const };
    const asked = made({ volume: of({ capacity: { storage: '10Gi' } }), settings: settled });
    expect(asked.resources).toEqual({ requests: { storage: '1Gi' } });
  });

  test('with its class, where the source says so in the annotation of the time before the field', () => {
    const annotations = { ...stage.fence, 'volume.beta.kubernetes.io/storage-class': 'gold' };
    const source = stage.fenced({ annotations });
    delete source.spec.storageClassName;
    expect(made({ source, volume: of({ storageClassName: 'gold' }) }).storageClassName).toBe('gold');
  });

  test('without a class, where the volume has none: otherwise the cluster would give it the default one', () => {
    const source = stage.fenced();
    delete source.spec.storageClassName;
    expect(made({ source, volume: of({ storageClassName: undefined }) }).storageClassName).toBe('');
  });

  test('also when it is made anew after its source is gone', () => {
    const lost = { ...stage.unfenced, target: undefined };
    const annotations = { ...stage.record, 'volume.beta.kubernetes.io/storage-class': 'gold' };
    const recorded = stage.recorded({ ...stage.ofTarget, capacity: { storage: '3Gi' } }, annotations);
    const { body } = writeOf(decide({ ...lost, volume: recorded }, stage.now)) as { body: Claim };
    expect(body.spec).toMatchObject({ storageClassName: 'gold', resources: { requests: { storage: '3Gi' } } });
  });
});
