import { describe } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Volume } from '../../../../../../lib/kubernetes/objects.ts';
import { approval, claim, protection, request, volume } from '../../../../../support/builders.ts';
import { testTable } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { asked, ours } = stage;
const longAgo = '2026-03-01T11:00:00Z';
const withSecret = (namespace: string) => volume({ spec: { csi: { nodeStageSecretRef: { name: 'key', namespace } } } });
const withSource = (...overrides: Parameters<typeof claim>): TransferWorld => ({
  ...asked,
  source: claim(...overrides),
});
const withVolume = (given: Volume | undefined): TransferWorld => ({ ...asked, volume: given });

describe('what is wrong with the source is said, and nothing is touched', () => {
  const otherFence = { [ours]: 'test/other/uid-other' };
  const holding = (finalizer: string) => withSource({ metadata: { finalizers: [protection, finalizer] } });
  testTable(decide, [
    {
      situation: 'it is missing',
      world: { ...asked, source: undefined, volume: undefined },
      tells: 'wait SourceMissing',
      saying: 'prod/data',
    },
    {
      situation: 'it is missing, and only its uid was requested, which no later claim has',
      world: {
        ...asked,
        source: undefined,
        volume: undefined,
        request: request({
          spec: { source: { namespace: 'prod', name: 'data', kind: 'PersistentVolumeClaim', uid: 'uid-earlier' } },
        }),
      },
      tells: 'reject SourceReplaced',
      saying: 'claim prod/data with uid uid-earlier, which is requested, does not exist',
    },
    { situation: 'it is not bound', world: withSource({ status: { phase: 'Pending' } }), tells: 'wait SourceNotBound' },
    { situation: 'it names no volume', world: withSource({ spec: { volumeName: '' } }), tells: 'wait SourceNotBound' },
    {
      situation: 'it has lost its volume',
      world: withSource({ status: { phase: 'Lost' } }),
      tells: 'reject SourceLost',
    },
    {
      situation: 'it is another claim than the one that was asked for',
      world: {
        ...asked,
        request: request({
          spec: { source: { namespace: 'prod', name: 'data', kind: 'PersistentVolumeClaim', uid: 'uid-earlier' } },
        }),
      },
      tells: 'reject SourceReplaced',
      saying: 'its uid is uid-source, spec.source.uid is uid-earlier',
    },
    {
      situation: 'it is the very claim that was asked for: nothing is wrong',
      world: {
        ...asked,
        request: request({
          spec: { source: { namespace: 'prod', name: 'data', kind: 'PersistentVolumeClaim', uid: 'uid-source' } },
        }),
      },
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'someone else deletes it',
      world: withSource({ metadata: { deletionTimestamp: longAgo } }),
      tells: 'wait SourceDeleting',
    },
    {
      situation: 'another request moves it',
      world: { ...asked, source: stage.fenced({ annotations: otherFence }) },
      tells: 'wait SourceBusy',
      saying: 'test/other',
    },
    {
      situation: 'a namesake of the request that is gone has fenced it',
      world: { ...asked, source: stage.fenced({ annotations: { [ours]: 'stage/move/uid-earlier' } }) },
      tells: 'wait SourceBusy',
    },
    {
      situation: 'a clone of it is being made',
      world: holding('provisioner.storage.kubernetes.io/cloning-protection'),
      tells: 'wait SourceBusy',
      saying: 'a clone',
    },
    {
      situation: 'a snapshot of it is being taken',
      world: holding('snapshot.storage.kubernetes.io/pvc-as-source-protection'),
      tells: 'wait SourceBusy',
      saying: 'a snapshot',
    },
  ]);
});

describe('a mark of a roll-back on a claim, where any user can write it, counts for nothing', () => {
  const annotations = { ...stage.fence, [stage.undoingMark]: stage.transfer };
  testTable(decide, [
    {
      situation: 'before the fence',
      world: withSource({ metadata: { annotations } }),
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'behind the fence',
      world: { ...stage.withTarget, source: stage.fenced({ annotations }) },
      write: 'patch volume',
      next: 'delete source',
    },
  ]);
});

describe('what this transfer has begun to roll back is rolled back to its end, although both sides want it again', () => {
  testTable(decide, [
    {
      situation: 'the target is there',
      world: { ...stage.withTarget, volume: stage.undoing() },
      write: 'delete target',
      next: 'patch source',
    },
    {
      situation: 'the source is fenced',
      world: { ...stage.withFence, volume: stage.undoing() },
      write: 'patch source',
      next: 'patch volume',
    },
    {
      situation: 'only the mark is left: then it begins anew',
      world: { ...asked, volume: stage.undoing() },
      write: 'patch volume',
      next: 'patch source',
    },
  ]);
});

describe('what is wrong with the volume is said, and nothing is touched', () => {
  const takenBy = (metadata: object) =>
    withVolume(volume({ spec: { claimRef: { namespace: 'prod', name: 'data', uid: 'uid-other', ...metadata } } }));
  testTable(decide, [
    { situation: 'it is missing', world: withVolume(undefined), tells: 'wait VolumeMissing', saying: 'volume-1' },
    {
      situation: 'it is being deleted',
      world: withVolume(volume({ metadata: { deletionTimestamp: longAgo } })),
      tells: 'reject VolumeDeleting',
    },
    { situation: 'it is bound to another claim', world: takenBy({ name: 'other' }), tells: 'wait VolumeNotBound' },
    { situation: 'it is bound to an earlier claim of the same name', world: takenBy({}), tells: 'wait VolumeNotBound' },
    {
      situation: 'it is recorded for another request',
      world: withVolume(stage.recorded({}, { ...stage.record, [ours]: 'test/other/uid-other' })),
      tells: 'wait VolumeBusy',
      saying: 'test/other',
    },
    {
      situation: 'an earlier transfer of it is being rolled back',
      world: withVolume(stage.undoing('test/other/uid-other')),
      tells: 'wait RollingBack',
    },
    {
      situation: 'its Secrets are in the namespace that it leaves',
      world: withVolume(withSecret('prod')),
      tells: 'reject SecretsInSourceNamespace',
    },
    {
      situation: 'its Secret is named without a namespace, which means that of the claim',
      world: withVolume(volume({ spec: { iscsi: { secretRef: { name: 'chap' } } } as object })),
      tells: 'reject SecretsInSourceNamespace',
    },
    {
      situation: 'its Secret is named with an empty namespace, which means that of the claim',
      world: withVolume(volume({ spec: { flexVolume: { secretRef: { name: 'key', namespace: '' } } } as object })),
      tells: 'reject SecretsInSourceNamespace',
    },
    {
      situation: 'a reference to no Secret at all: nothing is wrong',
      world: withVolume(volume({ spec: { iscsi: { secretRef: {} } } as object })),
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'its share on Azure takes the Secret from the namespace that it leaves',
      world: withVolume(volume({ spec: { azureFile: { secretName: 'key', shareName: 'share' } } as object })),
      tells: 'reject SecretsInSourceNamespace',
    },
    {
      situation: 'its share on Azure names the namespace that it leaves',
      world: withVolume(volume({ spec: { azureFile: { secretName: 'key', secretNamespace: 'prod' } } as object })),
      tells: 'reject SecretsInSourceNamespace',
    },
    {
      situation: 'its share on Azure takes the Secret from elsewhere: nothing is wrong',
      world: withVolume(volume({ spec: { azureFile: { secretName: 'key', secretNamespace: 'vault' } } as object })),
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'its Secrets are elsewhere: nothing is wrong',
      world: withVolume(withSecret('storage-system')),
      write: 'patch source',
      next: 'create target',
    },
    {
      situation: 'its Secrets are in a namespace that it does not leave: nothing is wrong',
      world: {
        ...withVolume(withSecret('prod')),
        request: request({ metadata: { namespace: 'prod' } }),
        approval: approval({ spec: { targetNamespace: 'prod' } }),
      },
      write: 'patch source',
      next: 'create target',
    },
  ]);
});
