import type { Claim, DataSource, ReclaimPolicy } from '../../lib/kubernetes/objects.ts';
import { groupOf, resources } from '../../lib/kubernetes/resources.ts';
import { type Class, type Snapshot, snapshotClassResource, type VolumeSnapshotClass } from './kinds.ts';

export { type ContentParts, snapshotFrom, staticContent } from './static-objects.ts';

/** The objects that users and administrators write, built from the few fields that differ. */

const size = '1Gi';

export interface ClassParts {
  readonly name: string;
  readonly driver: string;
  readonly policy?: 'Delete' | 'Retain';
  readonly parameters?: Record<string, string>;
  /** The default for snapshots that name no class. */
  readonly isDefault?: boolean;
}

export function snapshotClass({
  name,
  driver,
  policy = 'Delete',
  parameters,
  isDefault,
}: ClassParts): VolumeSnapshotClass {
  const { apiVersion, kind } = snapshotClassResource;
  const annotations = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };
  return {
    apiVersion,
    kind,
    metadata: { name, ...(isDefault ? { annotations } : {}) },
    driver,
    deletionPolicy: policy,
    ...(parameters ? { parameters } : {}),
  };
}

export interface ProvisionedClassParts {
  readonly name: string;
  readonly driver: string;
  readonly policy?: ReclaimPolicy;
  readonly binding?: 'Immediate' | 'WaitForFirstConsumer';
}

/** A storage class for volumes of a driver. */
export function provisionedClass({
  name,
  driver,
  policy = 'Delete',
  binding = 'Immediate',
}: ProvisionedClassParts): Class {
  const { apiVersion, kind } = resources.storageClass;
  return {
    apiVersion,
    kind,
    metadata: { name },
    provisioner: driver,
    reclaimPolicy: policy,
    volumeBindingMode: binding,
  };
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** A snapshot of a claim. */
export function snapshotOf({ metadata }: Claim, name: string, className?: string): Snapshot {
  const { apiVersion, kind } = resources.snapshot;
  return {
    apiVersion,
    kind,
    metadata: { namespace: metadata.namespace ?? '', name },
    spec: {
      source: { persistentVolumeClaimName: metadata.name },
      ...(className ? { volumeSnapshotClassName: className } : {}),
    },
  };
}

export interface ClaimParts extends Place {
  readonly className: string;
  readonly storage?: string;
  readonly volumeMode?: string;
}

/** A claim for an empty volume. */
export function emptyClaim({ namespace, name, className, storage = size, volumeMode }: ClaimParts): Claim {
  return {
    apiVersion: resources.claim.apiVersion,
    kind: resources.claim.kind,
    metadata: { namespace, name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      storageClassName: className,
      ...(volumeMode ? { volumeMode } : {}),
    },
  };
}

type Source = Snapshot | Claim | (DataSource & { namespace?: string });

/** A claim for a volume with the data of a snapshot, of another claim, or of any other source. */
export function claimFrom(source: Source, parts: ClaimParts): Claim {
  const claim = emptyClaim(parts);
  return { ...claim, spec: { ...claim.spec, dataSourceRef: 'metadata' in source ? referenceTo(source) : source } };
}

function referenceTo(source: Snapshot | Claim): DataSource {
  const { kind, metadata } = source;
  const apiGroup = groupOf(source);
  return { ...(apiGroup ? { apiGroup } : {}), kind, name: metadata.name };
}
