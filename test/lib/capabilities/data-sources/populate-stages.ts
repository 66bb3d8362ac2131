import type { VolumeSnapshot, VolumeSnapshotContent } from '../../../../lib/capabilities/data-sources/objects.ts';
import type { PopulatingWorld } from '../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import type { Claim, Condition, ObjectMeta, Volume } from '../../../../lib/kubernetes/objects.ts';
import { protection, settings } from '../../../support/builders.ts';
import {
  linkedClaim,
  linkGrant,
  namespace,
  snapshotContent,
  snapshotDriver,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../support/builders-of-snapshots.ts';

/** The claim test/copy on its way to the data of prod/backup, as the cluster looks after each write. Marks are written out. */

export const now = new Date('2026-03-01T12:00:00Z');
export const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
export const ago = (seconds: number) => later(-seconds).toISOString();

export const hold = 'longshore.dev/populate';
export const copyName = 'populate-uid-claim';
export const forClaim = { 'longshore.dev/populates': 'test/copy/uid-claim' };
export const ofSnapshot = { 'longshore.dev/copy-of': 'prod/backup/uid-snapshot' };
export const selectedNode = 'volume.kubernetes.io/selected-node';
export const deletionTimestamp = '2026-03-01T11:59:59Z';
export const deleting = { deletionTimestamp };
const system = { namespace: 'longshore-system', name: copyName };

export const said = (status: Condition['status'], reason: string, message = reason): Condition => ({
  type: 'DataPopulated',
  status,
  reason,
  message,
  lastTransitionTime: deletionTimestamp,
});

type Make = Parameters<typeof linkedClaim>[0];

export const held = ({ metadata, ...rest }: NonNullable<Make> = {}): Claim =>
  linkedClaim({ metadata: { finalizers: [protection, hold], ...metadata }, ...rest });

/** Bound to the volume that was made for it. */
export const bound = (conditions: Condition[] = [], metadata: Partial<ObjectMeta> = {}): Claim =>
  held({ metadata, spec: { volumeName: 'pvc-uid-prime' }, status: { phase: 'Bound', conditions } });

/** As it is made; what the snapshot controller puts on it. */
export const contentCopyAsMade = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotContent' as const,
  metadata: { name: copyName, annotations: { ...forClaim, ...ofSnapshot } },
  spec: {
    deletionPolicy: 'Retain' as const,
    driver: snapshotDriver,
    source: { snapshotHandle: 'handle-1' },
    sourceVolumeMode: 'Filesystem',
    volumeSnapshotClassName: 'hourly',
    volumeSnapshotRef: { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot', ...system },
  },
};
export const contentCopy = (metadata: Partial<ObjectMeta> = {}): VolumeSnapshotContent => ({
  ...contentCopyAsMade,
  metadata: {
    ...contentCopyAsMade.metadata,
    uid: 'uid-content-copy',
    resourceVersion: '1',
    creationTimestamp: ago(3),
    ...metadata,
  },
});

export const snapshotCopyAsMade = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot' as const,
  metadata: { ...system, annotations: forClaim },
  spec: { source: { volumeSnapshotContentName: copyName }, volumeSnapshotClassName: 'hourly' },
};
export const snapshotCopy = (
  status: NonNullable<VolumeSnapshot['status']> = { readyToUse: true, boundVolumeSnapshotContentName: copyName },
  metadata: Partial<ObjectMeta> = {},
): VolumeSnapshot => ({
  ...snapshotCopyAsMade,
  metadata: { ...snapshotCopyAsMade.metadata, uid: 'uid-snapshot-copy', resourceVersion: '1', ...metadata },
  status,
});

export const primeAsMade = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim' as const,
  metadata: { ...system, annotations: { ...forClaim, ...ofSnapshot }, finalizers: [hold] },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '2Gi' } },
    storageClassName: 'fast',
    volumeMode: 'Filesystem',
    dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: copyName },
  },
};
export const prime = (metadata: Partial<ObjectMeta> = {}, volumeName?: string): Claim => ({
  ...primeAsMade,
  metadata: {
    ...primeAsMade.metadata,
    uid: 'uid-prime',
    resourceVersion: '1',
    creationTimestamp: ago(2),
    finalizers: [hold, protection],
    ...metadata,
  },
  spec: { ...primeAsMade.spec, ...(volumeName ? { volumeName } : {}) },
  status: { phase: volumeName ? 'Bound' : 'Pending' },
});
export const primeBound = (metadata: Partial<ObjectMeta> = {}) => prime(metadata, 'pvc-uid-prime');
/** Taken away, and held by nobody but the cluster for a moment. */
export const primeGoing = (finalizers = [hold, protection]) => primeBound({ deletionTimestamp, finalizers });

const provisioned = { 'pv.kubernetes.io/provisioned-by': snapshotDriver };
export const toPrime = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...system, uid: 'uid-prime' };
export const toClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace: 'test',
  name: 'copy',
  uid: 'uid-claim',
};

/** What the provisioner makes for the prime claim. */
export const volume = (
  spec: Partial<Volume['spec']> = {},
  metadata: Partial<ObjectMeta> = {},
  phase: NonNullable<Volume['status']>['phase'] = 'Bound',
): Volume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pvc-uid-prime', uid: 'uid-volume', resourceVersion: '1', annotations: provisioned, ...metadata },
  spec: {
    claimRef: { ...toPrime, resourceVersion: '7' },
    persistentVolumeReclaimPolicy: 'Delete',
    capacity: { storage: '2Gi' },
    storageClassName: 'fast',
    csi: { driver: snapshotDriver },
    ...spec,
  },
  status: { phase: phase ?? 'Bound' },
});
export const handed = (spec: Partial<Volume['spec']> = {}): Volume =>
  volume({ claimRef: toClaim, ...spec }, { annotations: { ...provisioned, ...forClaim, ...ofSnapshot } });

export const chosen = { 'pv.kubernetes.io/bound-by-controller': 'yes' };
/** It lay about, and the volume controller gave it to the prime claim. */
export const stray = (spec: Partial<Volume['spec']> = {}, annotations: Record<string, string> = {}): Volume =>
  volume(spec, { annotations: { ...chosen, ...annotations } });

/** Everybody agrees, and nothing is begun. */
export const agreed = (world: Partial<PopulatingWorld> = {}): PopulatingWorld => ({
  claim: linkedClaim(),
  settings: settings(),
  link: snapshotLink(),
  wanted: { namespace: 'prod', name: 'backup' },
  grants: [linkGrant()],
  namespace: namespace('test'),
  sourceNamespace: namespace('prod'),
  snapshot: volumeSnapshot(),
  content: snapshotContent(),
  storageClass: storageClass(),
  readAt: now,
  ...world,
});

/** After each write, and what others make of it. */
export const stages = {
  asked: agreed(),
  held: agreed({ claim: held() }),
  contentMade: agreed({ claim: held(), contentCopy: contentCopy() }),
  snapshotMade: agreed({ claim: held(), contentCopy: contentCopy(), snapshotCopy: snapshotCopy({}) }),
  snapshotReady: agreed({ claim: held(), contentCopy: contentCopy(), snapshotCopy: snapshotCopy() }),
  primeMade: agreed({ claim: held(), contentCopy: contentCopy(), snapshotCopy: snapshotCopy(), prime: prime() }),
  primeBound: agreed({
    claim: held(),
    contentCopy: contentCopy(),
    snapshotCopy: snapshotCopy(),
    prime: primeBound(),
    volume: volume(),
  }),
  handedOver: agreed({
    claim: held(),
    contentCopy: contentCopy(),
    snapshotCopy: snapshotCopy(),
    prime: primeBound(),
    volume: handed(),
  }),
} satisfies Record<string, PopulatingWorld>;

/** Bound, with everything still there that was needed on the way. */
export const populated = (world: Partial<PopulatingWorld> = {}): PopulatingWorld => ({
  claim: bound(),
  contentCopy: contentCopy(),
  snapshotCopy: snapshotCopy(),
  prime: primeBound(),
  volume: handed(),
  readAt: now,
  ...world,
});
