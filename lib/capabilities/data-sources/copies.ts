import type { Name } from '../../kubernetes/brands.ts';
import type { Cluster } from '../../kubernetes/cluster.ts';
import type { Claim, ClusterObject, ObjectMeta } from '../../kubernetes/objects.ts';
import { formatIdentity, identityOf } from '../../kubernetes/places.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { groupOf, nameOf, resources } from '../../kubernetes/resources.ts';
import { classOf } from '../../kubernetes/storage-class.ts';
import {
  claimAnnotation,
  copyNameOf,
  finalizer,
  isCopy,
  nodeAnnotation,
  snapshotAnnotation,
  systemNamespace,
} from './names.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from './objects.ts';

/**
 * The objects in Longshore's own namespace while a claim is populated: a second content and snapshot object for the
 * same snapshot of the store, and the prime claim, which is restored from them and whose volume the user's claim gets.
 */
export interface Copies {
  readonly contentCopy?: VolumeSnapshotContent | undefined;
  readonly snapshotCopy?: VolumeSnapshot | undefined;
  readonly prime?: Claim | undefined;
}

export const selectedNode = 'volume.kubernetes.io/selected-node';
/** If each node has its own sidecar, the label names the one that is responsible for a content. */
const managedBy = 'snapshot.storage.kubernetes.io/managed-by';
const volumeModeChange = 'snapshot.storage.kubernetes.io/allow-volume-mode-change';

export async function readCopies(cluster: Cluster, name: Name): Promise<Copies> {
  const [contentCopy, snapshotCopy, prime] = await Promise.all([
    cluster.get(nameOf(resources.snapshotContent, undefined, name)),
    cluster.get(nameOf(resources.snapshot, systemNamespace, name)),
    cluster.get(nameOf(resources.claim, systemNamespace, name)),
  ]);
  return { contentCopy: own(contentCopy), snapshotCopy: own(snapshotCopy), prime: own(prime) };
}

/** Objects of others under such a name are ignored. */
function own<T extends ClusterObject>(object: T | undefined): T | undefined {
  return object && isCopy(object) ? object : undefined;
}

export function handleOf({ spec, status }: VolumeSnapshotContent): string | undefined {
  return status?.snapshotHandle ?? spec.source.snapshotHandle;
}

/** Retain: deleting a copy would otherwise delete the original's snapshot in the store. */
export function contentCopyFor(
  claim: Claim,
  snapshot: VolumeSnapshot,
  content: VolumeSnapshotContent,
): VolumeSnapshotContent {
  const { driver, sourceVolumeMode, volumeSnapshotClassName } = content.spec;
  const modeChange = content.metadata.annotations?.[volumeModeChange];
  const node = content.metadata.labels?.[managedBy];
  const { metadata, ...kind } = head(resources.snapshotContent, claim, undefined, {
    [snapshotAnnotation]: formatIdentity(identityOf(snapshot)),
    ...(modeChange === undefined ? {} : { [volumeModeChange]: modeChange }),
  });
  return {
    ...kind,
    metadata: { ...metadata, ...(node === undefined ? {} : { labels: { [managedBy]: node } }) },
    spec: {
      deletionPolicy: 'Retain',
      driver,
      source: { snapshotHandle: handleOf(content) ?? '' },
      ...(sourceVolumeMode ? { sourceVolumeMode } : {}),
      // From its class, the driver's sidecar takes the Secret with which snapshots are listed.
      ...(volumeSnapshotClassName ? { volumeSnapshotClassName } : {}),
      volumeSnapshotRef: {
        apiVersion: resources.snapshot.apiVersion,
        kind: resources.snapshot.kind,
        namespace: systemNamespace,
        name: copyNameOf(claim),
      },
    },
  };
}

export function snapshotCopyFor(claim: Claim, { metadata, spec }: VolumeSnapshotContent): VolumeSnapshot {
  const { volumeSnapshotClassName } = spec;
  return {
    ...head(resources.snapshot, claim, systemNamespace),
    spec: {
      source: { volumeSnapshotContentName: metadata.name },
      ...(volumeSnapshotClassName ? { volumeSnapshotClassName } : {}),
    },
  };
}

/** Everything that the user asked for, except the data source: that is the copy in the prime claim's own namespace. */
export function primeFor(claim: Claim, contentCopy: VolumeSnapshotContent): Claim {
  const { accessModes, resources: size, volumeMode, volumeAttributesClassName } = claim.spec;
  const storageClassName = classOf(claim);
  const node = claim.metadata.annotations?.[selectedNode];
  const origin = contentCopy.metadata.annotations?.[snapshotAnnotation] ?? '';
  const { apiVersion, kind, metadata } = head(resources.claim, claim, systemNamespace, {
    [snapshotAnnotation]: origin,
    ...(node ? { [selectedNode]: node, [nodeAnnotation]: node } : {}),
  });
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, finalizers: [finalizer] },
    spec: {
      ...(accessModes ? { accessModes } : {}),
      ...(size ? { resources: size } : {}),
      ...(storageClassName ? { storageClassName } : {}),
      ...(volumeMode ? { volumeMode } : {}),
      ...(volumeAttributesClassName ? { volumeAttributesClassName } : {}),
      dataSourceRef: { apiGroup: groupOf(resources.snapshot), kind: resources.snapshot.kind, name: copyNameOf(claim) },
    },
  };
}

function head<T extends ClusterObject>(
  { apiVersion, kind }: Resource<T>,
  claim: Claim,
  namespace: string | undefined,
  annotations: Record<string, string> = {},
): { apiVersion: string; kind: T['kind']; metadata: ObjectMeta } {
  return {
    apiVersion,
    kind,
    metadata: {
      name: copyNameOf(claim),
      ...(namespace ? { namespace } : {}),
      annotations: { [claimAnnotation]: formatIdentity(identityOf(claim)), ...annotations },
    },
  };
}
