import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import type { ObjectName } from '../../../lib/kubernetes/resources.ts';

/** The cluster as a sidecar sees it, and the disk of its driver. */
export interface World {
  get<T extends ClusterObject>(resource: Resource<T>, namespace: string | undefined, name: string): T | undefined;
  all<T extends ClusterObject>(resource: Resource<T>, namespace?: string): T[];
  now(): Date;
}

/** The storage of volumes and snapshots. Every operation may be repeated, as with a real driver. */
export interface Disk {
  createVolume(handle: string, bytes: number, from?: Origin): void;
  deleteVolume(handle: string): void;
  createSnapshot(handle: string, volume: string): void;
  deleteSnapshot(handle: string): void;
  hasVolume(handle: string): boolean;
  hasSnapshot(handle: string): boolean;
  /** The bytes of a snapshot. */
  sizeOf(handle: string): number;
}

export type DiskView = Pick<Disk, 'hasVolume' | 'hasSnapshot' | 'sizeOf'>;

export type Origin = { snapshot: string } | { volume: string };

/** The properties in which drivers differ. */
export interface DriverOptions {
  readonly name: string;
  /** True, the default, if it can list snapshots. Otherwise every handle of a static content is accepted. */
  readonly listsSnapshots?: boolean;
  /** The reported size of such a driver's static contents. The sidecar has left it out since some version. */
  readonly unknownSize?: 'absent' | 'zero';
  /** It refuses to list snapshots without a Secret. */
  readonly demandsListSecret?: boolean;
  /** False for a provisioner that is too old to support data sources: its volumes are always empty. */
  readonly knowsSources?: boolean;
  /** The feature gate CrossNamespaceVolumeDataSource of its provisioner is on. */
  readonly crossesNamespaces?: boolean;
  /** Its provisioner returns a claim to the scheduler if the claim's node does not exist. Tests may have no nodes. */
  readonly looksUpNodes?: boolean;
}

/** A driver, and its present state. */
export interface Driver {
  readonly options: DriverOptions;
  readonly disk: DiskView;
  /** CreateVolume is refused. */
  failing: boolean;
  /** CreateVolume does not return. */
  hanging: boolean;
  /** New snapshots are cut, and not ready until this is over. */
  uploading: boolean;
}

export type Action =
  | { type: 'create'; name: ObjectName; body: ClusterObject }
  /** A merge patch, which is refused if the object has changed since it was read. */
  | { type: 'change'; of: ClusterObject; name: ObjectName; patch: object; subresource?: 'status' }
  | { type: 'delete'; of: ClusterObject; name: ObjectName }
  | { type: 'event'; about: ClusterObject; kind: 'Normal' | 'Warning'; reason: string; note: string; by: string }
  | { type: 'disk'; driver: string; operation: (disk: Disk) => void };

/**
 * The next step of a sidecar for one object. The same rule is applied again after it, until there is nothing more to
 * do; a step that ends in `again` is retried after a growing delay.
 */
export interface Step {
  readonly actions: readonly Action[];
  readonly again?: boolean;
}

export const nothing: Step = { actions: [] };
export const later: Step = { actions: [], again: true };
