import type {
  VolumeSnapshot,
  VolumeSnapshotContent,
  VolumeSnapshotLink,
} from '../../lib/capabilities/data-sources/objects.ts';
import type {
  Claim,
  ClaimSpec,
  Namespace,
  ObjectMeta,
  ReferenceGrant,
  StorageClass,
} from '../../lib/kubernetes/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { protection } from './builders.ts';

/** Snapshots of one namespace, and the claims of another one that are to be populated from them. */

interface Overrides<Spec, Status = never> {
  metadata?: Partial<ObjectMeta>;
  spec?: Partial<Spec>;
  status?: Status | undefined;
}

export const snapshotDriver = 'disk.example.com';

/** When the namespaces were made, and later whatever is in them. */
const [begun, made] = ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'];

/** Of the claim and its link, or of the snapshot and the grants for it. */
export function namespace(name: 'test' | 'prod', metadata: Partial<ObjectMeta> = {}): Namespace {
  const { apiVersion, kind } = resources.namespace;
  return { apiVersion, kind, metadata: { name, uid: `uid-${name}`, creationTimestamp: begun, ...metadata } };
}

type ClaimOverrides = Overrides<ClaimSpec, NonNullable<Claim['status']>>;

/** The claim test/copy, which waits for what the link test/yesterday stands for. */
export function linkedClaim(overrides: ClaimOverrides = {}): Claim {
  const dataSourceRef = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', name: 'yesterday' };
  return waitingClaim({ dataSourceRef }, overrides);
}

/** The same claim, which waits for a snapshot that it names itself, as the admission policy keeps it. */
export function referringClaim(overrides: ClaimOverrides = {}, name = 'prod.backup'): Claim {
  const dataSourceRef = { apiGroup: 'longshore.dev', kind: 'VolumeSnapshotReference', name };
  return waitingClaim({ dataSourceRef }, overrides);
}

function waitingClaim(source: ClaimSpec, overrides: ClaimOverrides): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: meta({ namespace: 'test', name: 'copy', uid: 'uid-claim', finalizers: [protection] }, overrides),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '2Gi' } },
      storageClassName: 'fast',
      volumeMode: 'Filesystem',
      ...source,
      ...overrides.spec,
    },
    status: { phase: 'Pending', ...overrides.status },
  };
}

/** The link test/yesterday to the snapshot prod/backup. */
export function snapshotLink(overrides: Overrides<VolumeSnapshotLink['spec']> = {}): VolumeSnapshotLink {
  return {
    apiVersion: resources.snapshotLink.apiVersion,
    kind: 'VolumeSnapshotLink',
    metadata: meta({ namespace: 'test', name: 'yesterday', uid: 'uid-link' }, overrides),
    spec: { source: { namespace: 'prod', name: 'backup' }, ...overrides.spec },
  };
}

/** The snapshot prod/backup of 1Gi, which can be used. */
export function volumeSnapshot(
  overrides: Overrides<VolumeSnapshot['spec'], VolumeSnapshot['status']> = {},
): VolumeSnapshot {
  const ready = { readyToUse: true, boundVolumeSnapshotContentName: 'content-1', restoreSize: '1Gi' };
  return {
    apiVersion: resources.snapshot.apiVersion,
    kind: 'VolumeSnapshot',
    metadata: meta({ namespace: 'prod', name: 'backup', uid: 'uid-snapshot' }, overrides),
    spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'hourly', ...overrides.spec },
    status: 'status' in overrides ? { ...ready, ...overrides.status } : ready,
  };
}

/** Its content, which the driver made. */
export function snapshotContent(
  overrides: Overrides<VolumeSnapshotContent['spec'], VolumeSnapshotContent['status']> = {},
): VolumeSnapshotContent {
  const made = { snapshotHandle: 'handle-1', readyToUse: true, restoreSize: 2 ** 30 };
  return {
    apiVersion: resources.snapshotContent.apiVersion,
    kind: 'VolumeSnapshotContent',
    metadata: meta({ name: 'content-1', uid: 'uid-content' }, overrides),
    spec: {
      deletionPolicy: 'Delete',
      driver: snapshotDriver,
      source: { volumeHandle: 'volume-handle' },
      sourceVolumeMode: 'Filesystem',
      volumeSnapshotClassName: 'hourly',
      volumeSnapshotRef: { namespace: 'prod', name: 'backup', uid: 'uid-snapshot' },
      ...overrides.spec,
    },
    status: 'status' in overrides ? overrides.status : made,
  } as VolumeSnapshotContent;
}

/** The class fast of the snapshot's driver. */
export function storageClass(fields: Partial<StorageClass> = {}): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast', uid: 'uid-class', resourceVersion: '1' },
    provisioner: snapshotDriver,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    ...fields,
  };
}

const links = { group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshotLink', namespace: 'test' };
const claims = { group: '', kind: 'PersistentVolumeClaim', namespace: 'test' };

/** The grant prod/grant: links of test may refer to the snapshot prod/backup. */
export function linkGrant(overrides: Overrides<NonNullable<ReferenceGrant['spec']>> = {}): ReferenceGrant {
  return snapshotGrant(links, overrides);
}

/** The same for claims of test. */
export function claimGrant(overrides: Overrides<NonNullable<ReferenceGrant['spec']>> = {}): ReferenceGrant {
  return snapshotGrant(claims, overrides);
}

function snapshotGrant(from: typeof links, overrides: Overrides<NonNullable<ReferenceGrant['spec']>>): ReferenceGrant {
  return {
    apiVersion: resources.referenceGrant.apiVersion,
    kind: 'ReferenceGrant',
    metadata: meta({ namespace: 'prod', name: 'grant', uid: 'uid-grant' }, overrides),
    spec: {
      from: [from],
      to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'backup' }],
      ...overrides.spec,
    },
  };
}

function meta(defaults: ObjectMeta, { metadata }: { metadata?: Partial<ObjectMeta> }): ObjectMeta {
  return { resourceVersion: '1', creationTimestamp: made, ...defaults, ...metadata };
}
