import type { VolumeSnapshot, VolumeSnapshotContent } from '../../lib/capabilities/data-sources/objects.ts';
import type { ClusterObject, Secret, StorageClass, Volume } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';

/** The kinds that only the driver's sidecars use, and not Longshore, and the fields that they read of the others. */

export interface VolumeSnapshotClass extends ClusterObject {
  driver: string;
  deletionPolicy: 'Delete' | 'Retain';
  parameters?: Record<string, string>;
}

export const snapshotClassResource: Resource<VolumeSnapshotClass> = {
  apiVersion: resources.snapshot.apiVersion,
  kind: 'VolumeSnapshotClass',
  plural: 'volumesnapshotclasses',
  namespaced: false,
};

/** Only its existence matters. */
export const nodeResource: Resource = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

/** Both with their whole contents, which Longshore itself does not request. */
export const contentResource: Resource<Content> = whole(resources.snapshotContent);
export const secretResource: Resource<Secret> = whole(resources.secret);

function whole<T extends ClusterObject>({ metadataOnly: _, ...resource }: Resource<T>): Resource<T> {
  return resource;
}

export interface Class extends StorageClass {
  parameters?: Record<string, string>;
  mountOptions?: string[];
}

export interface Snapshot extends VolumeSnapshot {
  status?: VolumeSnapshot['status'] & { creationTime?: string };
}

export interface Content extends VolumeSnapshotContent {
  /**
   * The time of creation is in nanoseconds, more than a number can represent exactly: no reader needs that precision.
   */
  status?: VolumeSnapshotContent['status'] & { creationTime?: number };
}

/** The handle by which the driver identifies a volume of its own. */
export function handleOf({ spec }: Volume): string | undefined {
  const { volumeHandle } = spec.csi ?? {};
  return typeof volumeHandle === 'string' ? volumeHandle : undefined;
}

export function driverOf({ spec }: Volume): string | undefined {
  const { driver } = spec.csi ?? {};
  return typeof driver === 'string' ? driver : undefined;
}
