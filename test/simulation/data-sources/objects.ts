import { systemNamespace } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshotLink } from '../../../lib/capabilities/data-sources/objects.ts';
import { ownGroup, referenceKind } from '../../../lib/capabilities/data-sources/reference.ts';
import type { Claim, ClusterObject, ConfigMap, ReferenceGrant, Volume } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { groupOf, resources } from '../../../lib/kubernetes/resources.ts';
import { annotations } from '../../../tools/csi-stand-in/names.ts';
import { claimFrom, emptyClaim } from '../../../tools/csi-stand-in/objects.ts';

/** The namespaces of a run: the snapshots are in the first, and wanted in the second. */
export const place = { source: 'prod', target: 'test', system: systemNamespace };
export const driverName = 'csi.test';
export const className = 'fast';
export const sourceName = 'data';
/** The snapshot that is wanted at first, and the one that a link may mean later. */
export const snapshots = ['backup', 'other'] as const;
export type SnapshotName = (typeof snapshots)[number];
export const linkName = 'to-snapshot';

/**
 * How the users' claims name their snapshot: by a link to another namespace, by the kind that the admission policy makes
 * of a reference, or by a link to their own namespace, which is then that of the snapshots.
 */
export const manners = ['link', 'reference', 'own link'] as const;
export type Manner = (typeof manners)[number];

export function namespaceOf(manner: Manner): string {
  return manner === 'own link' ? place.source : place.target;
}

/** The admission policy gives such claims a selector that no volume meets; it may not be in place. */
export function wantingClaim(manner: Manner, name: string, hasSelector: boolean): Claim {
  const claim = emptyClaim({ namespace: namespaceOf(manner), name, className });
  const dataSourceRef =
    manner === 'reference'
      ? { apiGroup: ownGroup, kind: referenceKind, name: `${place.source}.${snapshots[0]}` }
      : { apiGroup: groupOf(resources.snapshotLink), kind: resources.snapshotLink.kind, name: linkName };
  const selector = hasSelector ? { selector: { matchLabels: { 'longshore.dev/volume': 'populated' } } } : {};
  return { ...claim, spec: { ...claim.spec, dataSourceRef, ...selector } };
}

/** A claim whose source is in its own namespace: the work of its provisioner. */
export function claimInSource(name: string, resource: Resource, source: string): Claim {
  const apiGroup = groupOf(resource);
  const from = { ...(apiGroup ? { apiGroup } : {}), kind: resource.kind, name: source };
  return claimFrom(from, { namespace: place.source, name, className });
}

export function linkTo(manner: Manner, name: SnapshotName): VolumeSnapshotLink {
  const { apiVersion, kind } = resources.snapshotLink;
  const source = manner === 'own link' ? { name } : { name, namespace: place.source };
  return { apiVersion, kind, metadata: { namespace: namespaceOf(manner), name: linkName }, spec: { source } };
}

/** A grant with nothing wrong in it lets both kinds of claims have a snapshot, or without a name all of them. */
export function grantOf(name: string, to?: string, fromNamespace = place.target): ReferenceGrant {
  const { apiVersion, kind } = resources.referenceGrant;
  const from = [resources.snapshotLink, resources.claim].map((resource) => ({
    group: groupOf(resource),
    kind: resource.kind,
    namespace: fromNamespace,
  }));
  const snapshot = { group: groupOf(resources.snapshot), kind: resources.snapshot.kind };
  const spec = { from, to: [to === undefined ? snapshot : { ...snapshot, name: to }] };
  return { apiVersion, kind, metadata: { namespace: place.source, name }, spec };
}

export function settingsOff(): ConfigMap {
  const { apiVersion, kind } = resources.configMap;
  return { apiVersion, kind, metadata: { namespace: place.system, name: 'longshore' }, data: { snapshots: 'off' } };
}

export interface FreeVolumeParts {
  name: string;
  policy: 'Delete' | 'Retain';
  /** It was made by the provisioner once, and somebody has set it free. */
  wasProvisioned: boolean;
}

/** A volume of the class with somebody's data, which any claim gets that fits. */
export function freeVolume({ name, policy, wasProvisioned }: FreeVolumeParts): Volume {
  const { apiVersion, kind } = resources.volume;
  return {
    apiVersion,
    kind,
    metadata: { name, annotations: wasProvisioned ? { [annotations.provisionedBy]: driverName } : {} },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: driverName, volumeHandle: name },
      persistentVolumeReclaimPolicy: policy,
      storageClassName: className,
    },
  };
}

export function pathOf({ kind, metadata }: ClusterObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
