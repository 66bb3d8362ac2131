import { matchApproval } from '../../../lib/capabilities/transfers/steps/match-approval/step.ts';
import { matchTransfer } from '../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import type { Claim, TransferApproval, TransferRequest, Volume } from '../../../lib/kubernetes/objects.ts';
import { approval, claim, namespace, pod, request, settings, volume } from '../../support/builders.ts';
import type { Verdict } from './seen-as.ts';
import * as stage from './transfers/stages.ts';

/** What a step comes upon, and what each side of the transfer is then: nothing is told to a side that is left out. */
export interface Situation {
  reason: string;
  state: string;
  world: TransferWorld;
  decide?: typeof matchTransfer.decide;
  request?: Verdict;
  approval?: Verdict;
  /** On an approval that has a reason of its own. */
  approvalSays?: string;
}

const { asked } = stage;
const longAgo = '2026-03-01T11:00:00Z';
const pvc = { name: 'data', kind: 'PersistentVolumeClaim' };
const requestOf = (uid?: string, spec: Partial<TransferRequest['spec']> = {}) =>
  request({ spec: { ...spec, source: { ...pvc, namespace: 'prod', ...(uid ? { uid } : {}) } } });
const approvalOf = (uid: string) => approval({ spec: { source: { ...pvc, uid } } });
const withRequest = (spec: Partial<TransferRequest['spec']>) => ({ ...asked, request: request({ spec }) });
const withApproval = (...given: Parameters<typeof approval>) => ({ ...asked, approval: approval(...given) });
const withSource = (...given: Parameters<typeof claim>) => ({ ...asked, source: claim(...given) });
const withVolume = (given: Volume | undefined) => ({ ...asked, volume: given });
const withoutSource = { ...asked, source: undefined, volume: undefined };
const later = { creationTimestamp: '2026-02-15T00:00:00Z', uid: 'uid-later' };
const foreign = stage.target({ annotations: {} });
const refused = (slot: 'target' | 'source') => ({ refused: { slot, message: 'denied' } }) as const;
const released = stage.released.source as Claim;
const givenUp =
  (step: { decideFailed: typeof matchTransfer.decideFailed }): typeof matchTransfer.decide =>
  (world, now) =>
    step.decideFailed(world, 'no answer', now);
const anew = (given: TransferApproval): TransferWorld => ({
  ...asked,
  request: request({ status: { complete: true } }),
  approval: given,
  source: undefined,
});

const ofConsent: Situation[] = [
  {
    reason: 'ApprovalMissing',
    state: 'nobody has approved',
    world: { ...asked, approval: undefined },
    request: 'InProgress',
  },
  {
    reason: 'ApprovalMissing',
    state: 'an earlier namespace of the name was approved',
    world: { ...asked, targetNamespace: namespace('stage', later) },
    request: 'InProgress',
    approval: 'InProgress',
    approvalSays: 'NamespaceReplaced',
  },
  {
    reason: 'ApprovalDiffers',
    state: 'another request is approved',
    world: withApproval({ spec: { requestName: 'other' } }),
    request: 'InProgress',
  },
  {
    reason: 'ApprovalDiffers',
    state: 'another claim is approved',
    world: withApproval({ spec: { source: { ...pvc, name: 'other' } } }),
    request: 'InProgress',
    approval: 'InProgress',
  },
  {
    reason: 'ApprovalUsed',
    state: 'an earlier request has used it',
    world: withApproval({ status: { complete: true } }),
    request: 'InProgress',
  },
  {
    reason: 'ApprovedClaimReplaced',
    state: 'an earlier claim is approved',
    world: { ...asked, approval: approvalOf('uid-earlier') },
    request: 'InProgress',
    approval: 'Failed',
  },
  {
    reason: 'RequestMissing',
    state: 'nobody has requested',
    world: { ...asked, request: undefined },
    decide: matchApproval.decide,
    approval: 'InProgress',
  },
  {
    reason: 'RequestDiffers',
    state: 'it names another approval',
    world: withRequest({ approvalName: 'other' }),
    decide: matchApproval.decide,
    approval: 'InProgress',
  },
  { reason: 'RequestComplete', state: 'nothing shows what it says', world: anew(approval()), approval: 'InProgress' },
  {
    reason: 'UnknownKind',
    state: 'it asks for a pod',
    world: withRequest({ source: { ...pvc, namespace: 'prod', kind: 'Pod' } }),
    request: 'Failed',
    approval: 'InProgress',
  },
  {
    reason: 'Invalid',
    state: 'it names no target',
    world: withRequest({ targetName: '' }),
    request: 'Failed',
    approval: 'InProgress',
  },
  {
    reason: 'NamespaceReplaced',
    state: 'the source namespace is a later one',
    world: { ...asked, sourceNamespace: namespace('prod', later) },
    request: 'InProgress',
    approval: 'InProgress',
  },
];

/** What both sides wait for, or neither does. */
const ofBoth = (reason: string, state: string, world: TransferWorld, verdict: Verdict = 'InProgress'): Situation => {
  return { reason, state, world, request: verdict, approval: verdict };
};
const resizing = { type: 'Resizing', status: 'True', reason: '', message: '', lastTransitionTime: '' } as const;
const ofStorage: Situation[] = [
  ofBoth('TransfersOff', 'an administrator has switched them off', {
    ...asked,
    settings: settings('transfersByRequest'),
  }),
  ofBoth('SourceMissing', 'nobody has the name', withoutSource),
  {
    reason: 'SourceMissing',
    state: 'the approval is for a claim that is gone',
    world: { ...withoutSource, approval: approvalOf('uid-source') },
    request: 'InProgress',
    approval: 'Failed',
    approvalSays: 'ApprovedClaimReplaced',
  },
  {
    reason: 'SourceReplaced',
    state: 'another claim has the name',
    world: { ...asked, request: requestOf('uid-earlier') },
    request: 'Failed',
    approval: 'InProgress',
  },
  {
    reason: 'SourceReplaced',
    state: 'no claim has the name',
    world: { ...withoutSource, request: requestOf('uid-source') },
    request: 'Failed',
    approval: 'InProgress',
  },
  ofBoth('SourceNotBound', 'it waits for its volume', withSource({ status: { phase: 'Pending' } })),
  ofBoth('SourceLost', 'its volume is gone', withSource({ status: { phase: 'Lost' } })),
  ofBoth('SourceBusy', 'another request was first', {
    ...asked,
    source: stage.fenced({ annotations: { [stage.ours]: 'test/other/uid-other' } }),
  }),
  ofBoth('SourceDeleting', 'its owner has deleted it', withSource({ metadata: { deletionTimestamp: longAgo } })),
  ofBoth('VolumeMissing', 'somebody has removed it', withVolume(undefined)),
  ofBoth(
    'VolumeNotBound',
    'another claim has it',
    withVolume(volume({ spec: { claimRef: { namespace: 'prod', name: 'other' } } })),
  ),
  ofBoth('VolumeDeleting', 'somebody has deleted it', withVolume(volume({ metadata: { deletionTimestamp: longAgo } }))),
  ofBoth(
    'VolumeBusy',
    'another request moves it',
    withVolume(stage.recorded({}, { ...stage.record, [stage.ours]: 'test/other/uid-other' })),
  ),
  ofBoth('VolumeResizing', 'its driver is at work', withSource({ status: { phase: 'Bound', conditions: [resizing] } })),
  ofBoth(
    'VolumeModifying',
    'its driver is at work',
    withSource({ status: { phase: 'Bound', modifyVolumeStatus: { status: 'InProgress' } } }),
  ),
  ofBoth(
    'SecretsInSourceNamespace',
    'that can never be changed',
    withVolume(volume({ spec: { csi: { nodeStageSecretRef: { name: 'key', namespace: 'prod' } } } })),
    'Failed',
  ),
  ofBoth('RollingBack', 'an earlier transfer is undone', withVolume(stage.undoing('test/other/uid-other'))),
  ofBoth('SourceInUse', 'a pod is there', { ...stage.withTarget, pods: [pod()] }),
  ofBoth('TargetExists', 'another claim has the name', { ...asked, target: foreign }),
  ofBoth('TargetRefused', 'a quota is used up', { ...asked, ...refused('target') }),
  ofBoth('TargetDeleting', 'its owner has deleted it', {
    ...asked,
    target: stage.target({ deletionTimestamp: longAgo }),
  }),
  ofBoth('WriteRefused', 'a policy forbids it', { ...stage.withFence, ...refused('source') }),
  ofBoth('SourceHeld', 'a pod is there', { ...stage.deleted, source: stage.fenced({ deletionTimestamp: longAgo }) }),
  ofBoth('VolumeTaken', 'another claim has it', {
    ...stage.released,
    source: released,
    volume: stage.recorded({ claimRef: { namespace: 'test', name: 'thief', uid: 'uid-thief' } }),
  }),
];

const ofTheEnd: Situation[] = [
  {
    reason: 'Failed',
    state: 'the request is given up',
    world: asked,
    decide: givenUp(matchTransfer),
    request: 'Failed',
  },
  {
    reason: 'Failed',
    state: 'the approval is given up',
    world: asked,
    decide: givenUp(matchApproval),
    approval: 'Failed',
  },
  { reason: 'Complete', state: 'the request is told', world: stage.done, request: 'Current' },
  { reason: 'Complete', state: 'the approval is told', world: stage.moved, approval: 'Current' },
];

export const situations: readonly Situation[] = [...ofConsent, ...ofStorage, ...ofTheEnd];
