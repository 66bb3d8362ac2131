import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import type { ObjectName } from '../../../lib/kubernetes/resources.ts';

/** The cluster as a sidecar sees it, and the disk that its driver has. */
export interface World {
  get<T extends ClusterObject>(resource: Resource<T>, namespace: string | undefined, name: string): T | undefined;
  all<T extends ClusterObject>(resource: Resource<T>, namespace?: string): T[];
  now(): Date;
}

/** What volumes and snapshots are made on. Every operation may be made twice, as those of a real driver may. */
export interface Disk {
  createVolume(handle: string, bytes: number, from?: Origin): void;
  deleteVolume(handle: string): void;
  createSnapshot(handle: string, volume: string): void;
  deleteSnapshot(handle: string): void;
  hasVolume(handle: string): boolean;
  hasSnapshot(handle: string): boolean;
  /** In bytes, of a snapshot. */
  sizeOf(handle: string): number;
}

export type DiskView = Pick<Disk, 'hasVolume' | 'hasSnapshot' | 'sizeOf'>;

export type Origin = { snapshot: string } | { volume: string };

/** What distinguishes one driver from another. */
export interface DriverOptions {
  readonly name: string;
  /** Whether it can list snapshots. Without it every handle of a static content is taken for good. True when absent. */
  readonly listsSnapshots?: boolean;
  /** What such a driver's static contents say of their size. The sidecar left it out from some version on. */
  readonly unknownSize?: 'absent' | 'zero';
  /** It refuses to list snapshots for whoever brings no Secret. */
  readonly demandsListSecret?: boolean;
  /** False for a provisioner that is too old to know of data sources: its volumes are always empty. */
  readonly knowsSources?: boolean;
  /** Its provisioner has the gate CrossNamespaceVolumeDataSource on. */
  readonly crossesNamespaces?: boolean;
  /** Its provisioner gives a claim back to the scheduler whose node is not there. A test may well do without nodes. */
  readonly looksUpNodes?: boolean;
}

/** A driver, and how it fares at the moment. */
export interface Driver {
  readonly options: DriverOptions;
  readonly disk: DiskView;
  /** CreateVolume is refused. */
  failing: boolean;
  /** CreateVolume does not come to an end. */
  hanging: boolean;
  /** New snapshots are cut, and not ready before this is over. */
  uploading: boolean;
}

export type Action =
  | { type: 'create'; name: ObjectName; body: ClusterObject }
  /** A merge patch, which is refused when the object is not as it was seen. */
  | { type: 'change'; of: ClusterObject; name: ObjectName; patch: object; subresource?: 'status' }
  | { type: 'delete'; of: ClusterObject; name: ObjectName }
  | { type: 'event'; about: ClusterObject; kind: 'Normal' | 'Warning'; reason: string; note: string; by: string }
  | { type: 'disk'; driver: string; operation: (disk: Disk) => void };

/**
 * What a sidecar does next about one object. The same rule is asked again after it was done, until it has nothing more to
 * do; a step that ends in `again` is tried anew after a pause that grows.
 */
export interface Step {
  readonly actions: readonly Action[];
  readonly again?: boolean;
}

export const nothing: Step = { actions: [] };
export const later: Step = { actions: [], again: true };
