import type {
  VolumePopulator,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from '../../../../../../lib/capabilities/data-sources/objects.ts';
import type {
  Claim,
  ClaimSpec,
  Condition,
  Namespace,
  ObjectMeta,
  ReferenceGrant,
  Volume,
} from '../../../../../../lib/kubernetes/objects.ts';
import { resources } from '../../../../../../lib/kubernetes/resources.ts';
import { referenceTo } from '../../../../../support/builders.ts';

/** The claim prod/data, which asks for data, and what that may come from. */

export const now = new Date('2026-03-01T12:00:00Z');
export const uid = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const driver = 'disk.example.com';
/** When what the claim needs was made, when the claim was, when its volume was, and later. */
export const early = '2026-03-01T10:00:00Z';
export const asked = '2026-03-01T11:00:00Z';
export const made = '2026-03-01T11:00:09Z';
export const late = '2026-03-01T11:30:00Z';

const snapshotGroup = 'snapshot.storage.k8s.io';
const ref = (apiGroup: string | undefined, kind: string, name: string) => ({
  dataSourceRef: { ...(apiGroup ? { apiGroup } : {}), kind, name },
});

export const sources = {
  snapshot: ref(snapshotGroup, 'VolumeSnapshot', 'monday'),
  claim: ref(undefined, 'PersistentVolumeClaim', 'old'),
  other: ref('dumps.example.com', 'Dump', 'monday'),
  transfer: ref('longshore.dev', 'Transfer', 'accepted'),
  link: ref(snapshotGroup, 'VolumeSnapshotLink', 'monday'),
  reference: ref('longshore.dev', 'VolumeSnapshotReference', 'backup.monday'),
  foreign: { dataSourceRef: { ...ref(snapshotGroup, 'VolumeSnapshot', 'monday').dataSourceRef, namespace: 'backup' } },
  foreignClaim: { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'old', namespace: 'backup' } },
  foreignDump: { dataSourceRef: { ...ref('dumps.example.com', 'Dump', 'monday').dataSourceRef, namespace: 'backup' } },
} satisfies Record<string, ClaimSpec>;

/** What the resizer says, which is none of our business. */
export const resizing: Condition = {
  type: 'Resizing',
  status: 'True',
  reason: '',
  message: '',
  lastTransitionTime: asked,
};

const chosenByController = { 'pv.kubernetes.io/bound-by-controller': 'yes' };

type Phase = NonNullable<Claim['status']>['phase'];

export function claim(
  spec: ClaimSpec,
  phase: NonNullable<Phase>,
  metadata: Partial<ObjectMeta> = {},
  conditions: Condition[] = [resizing],
): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      namespace: 'prod',
      name: 'data',
      uid,
      resourceVersion: '1',
      creationTimestamp: asked,
      annotations: { ...chosenByController },
      ...metadata,
    },
    spec: { ...(phase === 'Pending' ? {} : { volumeName: `pvc-${uid}` }), ...spec },
    status: { phase, conditions },
  };
}

/** As a provisioner makes it for prod/data. */
export function volume(metadata: Partial<ObjectMeta> = {}, spec: Partial<Volume['spec']> = {}): Volume {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: `pvc-${uid}`,
      uid: 'uid-volume',
      resourceVersion: '1',
      creationTimestamp: made,
      annotations: { 'pv.kubernetes.io/provisioned-by': driver },
      ...metadata,
    },
    spec: { claimRef: referenceTo(claim({}, 'Bound')), csi: { driver, volumeHandle: 'v-1' }, ...spec },
  };
}

/** One that no CSI driver knows of. */
export function withoutDriver({ spec, ...rest }: Volume): Volume {
  const { csi: _, ...others } = spec;
  return { ...rest, spec: others };
}

export const annotations = {
  made: { 'pv.kubernetes.io/provisioned-by': driver },
  madeBy: (provisioner: string) => ({ 'pv.kubernetes.io/provisioned-by': provisioner }),
  migrated: {
    'pv.kubernetes.io/provisioned-by': 'kubernetes.io/disk',
    'pv.kubernetes.io/migrated-to': driver,
  },
  chosen: chosenByController,
  transferred: (status = 'complete', destination = 'prod/data') => ({
    'pv.kubernetes.io/provisioned-by': driver,
    'pv.kubernetes.io/transfer-status': status,
    'pv.kubernetes.io/transfer-source': 'team/old',
    'pv.kubernetes.io/transfer-destination': destination,
  }),
};

/** It was made for another claim, and handed over. */
export const handedOver = { name: 'pvc-9b2d1c3e-0000-4000-8000-000000000001' };
export const arrivedByTransfer = {
  annotations: { 'longshore.dev/transferred-from': 'team/old', ...chosenByController },
};

export function snapshot(metadata: Partial<ObjectMeta> = {}, status: VolumeSnapshot['status'] = ready): VolumeSnapshot {
  return {
    apiVersion: resources.snapshot.apiVersion,
    kind: 'VolumeSnapshot',
    metadata: { namespace: 'prod', name: 'monday', uid: 'uid-snapshot', creationTimestamp: early, ...metadata },
    spec: { source: { persistentVolumeClaimName: 'old' } },
    status,
  };
}

const ready = { readyToUse: true, boundVolumeSnapshotContentName: 'content-1' };

export function content(of = driver, snapshotUid = 'uid-snapshot'): VolumeSnapshotContent {
  return {
    apiVersion: resources.snapshotContent.apiVersion,
    kind: 'VolumeSnapshotContent',
    metadata: { name: 'content-1' },
    spec: { deletionPolicy: 'Delete', driver: of, source: {}, volumeSnapshotRef: { uid: snapshotUid } },
  };
}

/** The claim prod/old, which is to be cloned. */
export function sourceClaim(metadata: Partial<ObjectMeta> = {}, phase: NonNullable<Phase> = 'Bound'): Claim {
  const own = { name: 'old', uid: 'uid-old', creationTimestamp: early, ...metadata };
  return claim({ volumeName: 'volume-old' }, phase, own);
}

export function sourceVolume(spec: Partial<Volume['spec']> = {}): Volume {
  return volume({ name: 'volume-old' }, { claimRef: referenceTo(sourceClaim()), ...spec });
}

export function populator(
  group = 'dumps.example.com',
  kind = 'Dump',
  metadata: Partial<ObjectMeta> = {},
): VolumePopulator {
  return {
    apiVersion: resources.volumePopulator.apiVersion,
    kind: 'VolumePopulator',
    metadata: { name: 'dumps', ...metadata },
    sourceKind: { group, kind },
  };
}

/** The namespace of the claim; by default it is as old as whatever it needs. */
export function namespace(creationTimestamp = early): Namespace {
  const { apiVersion, kind } = resources.namespace;
  return { apiVersion, kind, metadata: { name: 'prod', uid: 'uid-prod', creationTimestamp } };
}

/** What backup/ allows prod/ to refer to. */
export function grant(group: string, kind: string, metadata: Partial<ObjectMeta> = {}): ReferenceGrant {
  return {
    apiVersion: resources.referenceGrant.apiVersion,
    kind: 'ReferenceGrant',
    metadata: { namespace: 'backup', name: 'grant', creationTimestamp: early, ...metadata },
    spec: {
      from: [{ group: '', kind: 'PersistentVolumeClaim', namespace: 'prod' }],
      to: [{ group, kind }],
    },
  };
}

/** What the server keeps of a reference that it dropped. */
export const droppedFields = {
  managedFields: [{ fieldsV1: { 'f:spec': { 'f:dataSourceRef': { 'f:name': {}, 'f:namespace': {} } } } }],
};
