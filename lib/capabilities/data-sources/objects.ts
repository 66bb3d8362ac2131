import type { Name, NamespaceName, Uid } from '../../kubernetes/brands.ts';
import type { ClusterObject } from '../../kubernetes/objects.ts';

export type { SnapshotLink as VolumeSnapshotLink } from './crds.ts';

/**
 * The kinds that are data sources, limited to the fields that are read: the fields of the snapshot controller are its
 * own.
 */

declare module '../../kubernetes/kinds.ts' {
  interface Shapes {
    snapshot: VolumeSnapshot;
    snapshotContent: VolumeSnapshotContent;
    volumePopulator: VolumePopulator;
  }
}

export interface VolumeSnapshot extends ClusterObject {
  kind: 'VolumeSnapshot';
  spec: {
    source: { persistentVolumeClaimName?: string; volumeSnapshotContentName?: string };
    volumeSnapshotClassName?: string;
  };
  status?: {
    boundVolumeSnapshotContentName?: string;
    readyToUse?: boolean;
    restoreSize?: string;
    error?: { message?: string; time?: string };
  };
}

export interface VolumeSnapshotContent extends ClusterObject {
  kind: 'VolumeSnapshotContent';
  spec: {
    deletionPolicy: 'Delete' | 'Retain';
    driver: string;
    source: { volumeHandle?: string; snapshotHandle?: string };
    sourceVolumeMode?: string;
    volumeSnapshotClassName?: string;
    volumeSnapshotRef: { apiVersion?: string; kind?: string; namespace?: NamespaceName; name?: Name; uid?: Uid };
  };
  status?: {
    snapshotHandle?: string;
    readyToUse?: boolean;
    /** In bytes. */
    restoreSize?: number;
    error?: { message?: string; time?: string };
  };
}

/** Registers a populator in the cluster for sources of a kind. The fields are at the top level. */
export interface VolumePopulator extends ClusterObject {
  kind: 'VolumePopulator';
  sourceKind: { group: string; kind: string };
}
