import type { Claim, ObjectMeta, Volume } from '../../lib/cluster/objects.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';
import { approval, claim, protection, referenceTo, request, volume } from '../support/builders.ts';

/** One transfer, prod/data to stage/copy, as the cluster looks after each of its writes. The marks are written out. */

export const now = new Date('2026-03-01T12:00:00Z');
export const ours = 'longshore.dev/transfer';
const transfer = 'stage/move/uid-request';

export const fenced = (metadata: Partial<ObjectMeta> = {}): Claim =>
  claim({ metadata: { finalizers: [protection, ours], annotations: { [ours]: transfer }, ...metadata } });

export const undoing = (metadata: Partial<ObjectMeta> = {}): Claim =>
  fenced({ annotations: { [ours]: transfer, 'longshore.dev/transfer-undoing': 'true' }, ...metadata });

export const target = (metadata: Partial<ObjectMeta> = {}, phase: 'Pending' | 'Bound' = 'Pending'): Claim =>
  claim({
    metadata: {
      namespace: 'stage',
      name: 'copy',
      uid: 'uid-target',
      annotations: { 'longshore.dev/transferred-by': transfer },
      ...metadata,
    },
    status: { phase },
  });

const touched = {
  annotations: { 'longshore.dev/transferred-by': transfer, 'longshore.dev/transferred-from': 'prod/data' },
};

export const record = {
  [ours]: transfer,
  'longshore.dev/transfer-source': 'prod/data/uid-source',
  'longshore.dev/transfer-target': 'stage/copy',
  'longshore.dev/transfer-approval': 'allow',
  'longshore.dev/original-reclaim-policy': 'Delete',
};

export const recorded = (spec: Partial<Volume['spec']> = {}, annotations: Record<string, string> = record): Volume =>
  volume({ metadata: { annotations }, spec: { persistentVolumeReclaimPolicy: 'Retain', ...spec } });

export const ofTarget = { claimRef: referenceTo(target()) };

const base: TransferWorld = {
  request: request(),
  approval: approval(),
  source: claim(),
  volume: volume(),
  pods: [],
  readAt: now,
};

/** A second before `now`: too short a wait to be worth telling. */
const deletionTimestamp = '2026-03-01T11:59:59Z';

export const asked = base;
export const withFence: TransferWorld = { ...base, source: fenced() };
export const withTarget: TransferWorld = { ...withFence, target: target() };
export const withRecord: TransferWorld = { ...withTarget, volume: recorded() };
export const deleted: TransferWorld = { ...withRecord, source: fenced({ deletionTimestamp }) };
export const released: TransferWorld = { ...withRecord, source: fenced({ deletionTimestamp, finalizers: [ours] }) };
export const moved: TransferWorld = { ...released, volume: recorded(ofTarget) };
export const withOrigin: TransferWorld = { ...moved, target: target(touched) };
export const bound: TransferWorld = { ...withOrigin, target: target(touched, 'Bound') };
export const unfenced: TransferWorld = { ...bound, source: undefined };
export const restored: TransferWorld = { ...unfenced, volume: volume({ spec: ofTarget }) };
/** What a StatefulSet makes at once when its claim is gone: the same name, another claim, another volume. */
export const recreated: Claim = claim({ metadata: { uid: 'uid-recreated' }, spec: { volumeName: 'volume-2' } });
