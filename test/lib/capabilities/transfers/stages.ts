import type { TransferWorld } from '../../../../lib/capabilities/transfers/world.ts';
import type { Claim, ObjectMeta, Volume } from '../../../../lib/kubernetes/objects.ts';
import { approval, claim, namespace, protection, referenceTo, request, volume } from '../../../support/builders.ts';

/** One transfer, prod/data to stage/copy, as the cluster looks after each of its writes. The marks are written out. */

export const now = new Date('2026-03-01T12:00:00Z');
export const ours = 'longshore.dev/transfer';
export const undoingMark = 'longshore.dev/transfer-undoing';
export const transfer = 'stage/move/uid-request';

/** The fence names the transfer, and where the claim was to go. */
export const fence = { [ours]: transfer, 'longshore.dev/transfer-target': 'stage/copy' };

export const fenced = (metadata: Partial<ObjectMeta> = {}): Claim =>
  claim({ metadata: { finalizers: [protection, ours], annotations: fence, ...metadata } });

/** The request as the owner of the target. */
export const owner = {
  apiVersion: 'transfer.storage.k8s.io/v1alpha1',
  kind: 'StorageTransferRequest',
  name: 'move',
  uid: 'uid-request',
};

type TargetPhase = 'Pending' | 'Bound';
const targetMeta = { namespace: 'stage', name: 'copy', uid: 'uid-target' };
const by = { 'longshore.dev/transferred-by': transfer };

/** The target as it is made: it waits for its volume and belongs to the request. */
export const target = (metadata: Partial<ObjectMeta> = {}, phase: TargetPhase = 'Pending'): Claim =>
  claim({ metadata: { ...targetMeta, annotations: by, ownerReferences: [owner], ...metadata }, status: { phase } });

/** The target after the touch: it has its volume and stands for itself. */
export const standing = (phase: TargetPhase = 'Bound', metadata: Partial<ObjectMeta> = {}): Claim =>
  claim({
    metadata: { ...targetMeta, annotations: { ...by, 'longshore.dev/transferred-from': 'prod/data' }, ...metadata },
    status: { phase },
  });

export const record = {
  [ours]: transfer,
  'longshore.dev/transfer-source': 'prod/data/uid-source',
  'longshore.dev/transfer-target': 'stage/copy',
  'longshore.dev/transfer-approval': 'allow/uid-approval',
  'longshore.dev/original-reclaim-policy': 'Delete',
};

export const recorded = (spec: Partial<Volume['spec']> = {}, annotations: Record<string, string> = record): Volume =>
  volume({ metadata: { annotations }, spec: { persistentVolumeReclaimPolicy: 'Retain', ...spec } });

/** The volume while a transfer is rolled back. */
export const undoing = (of = transfer): Volume => volume({ metadata: { annotations: { [undoingMark]: of } } });

export const ofTarget = { claimRef: referenceTo(target()) };

const base: TransferWorld = {
  request: request(),
  approval: approval(),
  source: claim(),
  volume: volume(),
  sourceNamespace: namespace('prod'),
  targetNamespace: namespace('stage'),
  pods: [],
  readAt: now,
};

/** A second before `now`: too short a wait to be worth telling. */
export const deletionTimestamp = '2026-03-01T11:59:59Z';

export const asked = base;
/** Behind the fence that this very run has raised, or been told of by the server. */
export const withFence: TransferWorld = { ...base, source: fenced(), answered: ['source'] };
export const withTarget: TransferWorld = { ...withFence, target: target(), targetUid: 'uid-target' };
/** From here on the transfer is only ever finished. */
export const withRecord: TransferWorld = { ...withTarget, volume: recorded(), answered: ['source', 'volume'] };
export const deleted: TransferWorld = { ...withRecord, source: fenced({ deletionTimestamp }) };
export const released: TransferWorld = { ...withRecord, source: fenced({ deletionTimestamp, finalizers: [ours] }) };
export const moved: TransferWorld = { ...released, volume: recorded(ofTarget) };
/** The approval is told as long as the source still has its name. */
export const used: TransferWorld = { ...moved, approval: approval({ status: { complete: true } }) };
export const unfenced: TransferWorld = { ...used, source: undefined };
export const withOrigin: TransferWorld = { ...unfenced, target: standing('Pending') };
export const bound: TransferWorld = { ...withOrigin, target: standing() };
const doneMark = 'longshore.dev/transfer-done';
/** Nothing is left but to say so, and to take the record off. */
export const done: TransferWorld = {
  ...bound,
  volume: recorded({ ...ofTarget, persistentVolumeReclaimPolicy: 'Delete' }, { ...record, [doneMark]: 'true' }),
};
export const recordOff = {
  metadata: { annotations: Object.fromEntries([...Object.keys(record), doneMark].map((name) => [name, null])) },
};
/** The record goes last, when the request has been told. */
export const restored: TransferWorld = {
  ...bound,
  request: request({ status: { complete: true } }),
  volume: volume({ spec: ofTarget }),
};
/** What a StatefulSet makes at once when its claim is gone: the same name, another claim, another volume. */
export const recreated: Claim = claim({ metadata: { uid: 'uid-recreated' }, spec: { volumeName: 'volume-2' } });
