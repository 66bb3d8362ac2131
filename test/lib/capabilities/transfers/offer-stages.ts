import type { TransferWorld } from '../../../../lib/capabilities/transfers/world.ts';
import type { Claim, ObjectMeta, Volume } from '../../../../lib/kubernetes/objects.ts';
import { claim, namespace, pod, protection, referenceTo, settings, volume } from '../../../support/builders.ts';
import { now } from './stages.ts';

/** One transfer by annotation, prod/data to stage/copy, as the cluster looks after each of its writes. */

export { deletionTimestamp, now } from './stages.ts';
/** Long enough ago to be worth telling. */
export const longAgo = '2026-03-01T11:00:00Z';
export const fence = 'longshore.dev/transfer-offer';
export const status = 'pvc.kubernetes.io/transfer-status';
export const volumeMark = 'longshore.dev/transfer-volume';
export const released = { 'longshore.dev/transfer-released': '2026-03-01T11:59:00.000Z' };

/** What the owner of the source writes, and what the owner of the target does. */
export const wish = { transferRequest: 'stage/copy' };
export const word = { transferAccept: 'prod/data' };

export const offered = (metadata: Partial<ObjectMeta> = {}, spec: Claim['spec'] = {}): Claim =>
  claim({ metadata: { annotations: wish, ...metadata }, spec });
export const fenced = (metadata: Partial<ObjectMeta> = {}): Claim =>
  offered({ finalizers: [protection, fence], ...metadata });
export const pending = (metadata: Partial<ObjectMeta> = {}): Claim =>
  fenced({ annotations: { ...wish, [status]: 'pending' }, ...metadata });
/** Nothing holds it any more but us. */
export const letGo = (metadata: Partial<ObjectMeta> = {}): Claim =>
  pending({ deletionTimestamp: '2026-03-01T11:59:59Z', finalizers: [fence], ...metadata });

/** The claim of the destination's name as its owner creates it. */
export const accepting = (metadata: Partial<ObjectMeta> = {}, spec: Claim['spec'] = {}): Claim => {
  const { volumeName: _, ...unbound } = claim().spec;
  return {
    ...claim({
      metadata: { namespace: 'stage', name: 'copy', uid: 'uid-target', annotations: word, ...metadata },
      status: { phase: 'Pending' },
    }),
    spec: { ...unbound, ...spec },
  };
};
export const awaiting = (metadata: Partial<ObjectMeta> = {}, spec: Claim['spec'] = {}): Claim =>
  accepting({ annotations: { ...word, [status]: 'pending', [volumeMark]: 'volume-1' }, ...metadata }, spec);
const from = { 'longshore.dev/transferred-from': 'prod/data' };
/** The target that has been told which volume it has, as long as the volume controller has not bound it, and after. */
export const told = (phase: 'Pending' | 'Bound' = 'Pending', annotations: Record<string, string> = {}): Claim => ({
  ...awaiting(
    { annotations: { ...word, [status]: 'pending', [volumeMark]: 'volume-1', ...from, ...annotations } },
    { volumeName: 'volume-1' },
  ),
  status: { phase },
});
export const complete = (): Claim =>
  claim({
    metadata: { ...accepting().metadata, annotations: { ...word, ...from, [status]: 'complete' } },
    spec: { volumeName: 'volume-1' },
  });

const portable = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'fast' };
export const plain = (spec: Partial<Volume['spec']> = {}, metadata: Partial<ObjectMeta> = {}): Volume =>
  volume({ metadata, spec: { ...portable, ...spec } });

export const record = {
  'pv.kubernetes.io/transfer-status': 'pending',
  'pv.kubernetes.io/transfer-source': 'prod/data',
  'pv.kubernetes.io/transfer-destination': 'stage/copy',
  'longshore.dev/transfer-offered-by': 'prod/data/uid-source',
  'longshore.dev/original-reclaim-policy': 'Delete',
  'longshore.dev/transfer-source-namespace': 'uid-prod/2026-01-01T00:00:00Z',
  'longshore.dev/transfer-destination-namespace': 'uid-stage',
};
export const ownMarks = [
  'longshore.dev/transfer-offered-by',
  'longshore.dev/transfer-source-namespace',
  'longshore.dev/transfer-destination-namespace',
  'longshore.dev/transfer-released',
  'longshore.dev/transfer-stopped',
  'longshore.dev/original-reclaim-policy',
];
export const noOwnMarks = Object.fromEntries(ownMarks.map((name) => [name, null]));

export const recorded = (annotations: Record<string, string> = {}, spec: Partial<Volume['spec']> = {}): Volume =>
  plain({ persistentVolumeReclaimPolicy: 'Retain', ...spec }, { annotations: { ...record, ...annotations } });
/** As those find it who list what is kept. */
export const labelled = (kept: 'by-deleted-claim' | 'without-claim', found: Volume): Volume => ({
  ...found,
  metadata: { ...found.metadata, labels: { 'longshore.dev/kept': kept } },
});
export const ofTarget = { claimRef: referenceTo(accepting()) };

export const destination = { namespace: 'stage', name: 'copy' };
const base: TransferWorld = {
  source: offered(),
  destination,
  sourceNamespace: namespace('prod'),
  targetNamespace: namespace('stage'),
  volume: plain(),
  settings: settings(),
  pods: [],
  readAt: now,
};

export const asked = base;
export const withFence: TransferWorld = { ...base, source: fenced() };
/** The server has answered that the fence is on, and the claim offered still. */
export const withSureFence: TransferWorld = { ...withFence, answered: ['source'] };
/** The volume is safe from here on. */
export const secured: TransferWorld = { ...withFence, volume: recorded() };
export const withPending: TransferWorld = { ...secured, source: pending() };
export const accepted: TransferWorld = { ...withPending, target: accepting() };
export const agreed: TransferWorld = { ...withPending, target: awaiting() };
/** The owner has deleted the source, and nothing but our fence holds it. */
export const deleted: TransferWorld = { ...agreed, source: letGo() };
export const moved: TransferWorld = { ...deleted, volume: recorded(released, ofTarget) };
export const unfenced: TransferWorld = { ...moved, source: undefined };
export const received: TransferWorld = { ...unfenced, target: told() };
export const bound: TransferWorld = { ...unfenced, target: told('Bound') };
export const marked: TransferWorld = { ...unfenced, target: complete() };
/** The owner of the source deletes its namespace, which nothing in it may hold. */
export const going = { sourceNamespace: namespace('prod', { deletionTimestamp: longAgo }) };
/** The source is gone, and nobody has accepted its volume yet. */
export const orphaned: TransferWorld = {
  ...base,
  source: undefined,
  volume: labelled('without-claim', recorded(released)),
};
/** The source has been deleted, and stays as nobody can have its volume. */
export const staying: TransferWorld = { ...deleted, volume: labelled('by-deleted-claim', recorded()) };
/** What a StatefulSet makes at once when its claim is gone, and the pod that it makes for it. */
export const recreated: Claim = claim({ metadata: { uid: 'uid-recreated' }, spec: { volumeName: 'volume-2' } });
export const recreatedPod = pod({ metadata: { creationTimestamp: '2026-03-01T11:59:30Z' } });
