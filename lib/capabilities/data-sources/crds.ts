// Written by `npm run generate` from manifests/crds.

import type { Name, NamespaceName } from '../../kubernetes/brands.ts';
import type { ClusterObject } from '../../kubernetes/cluster-object.ts';

declare module '../../kubernetes/kinds.ts' {
  interface Shapes {
    snapshotLink: SnapshotLink;
  }
}

/**
 * Stands for a VolumeSnapshot of another namespace. A claim of this namespace that has it as its data source gets a
 * volume with the data of the snapshot, as soon as a ReferenceGrant of the other namespace allows that.
 */
export interface SnapshotLink extends ClusterObject {
  kind: 'VolumeSnapshotLink';
  /** The snapshot that it refers to. It cannot be changed; delete the link and create another one instead. */
  spec: {
    /** The VolumeSnapshot. */
    source: {
      /** The name of the VolumeSnapshot. */
      name: Name;
      /**
       * The namespace of the VolumeSnapshot. When it is written, a ReferenceGrant of that namespace must allow it;
       * without it, the snapshot is in the link's own namespace and needs none.
       */
      namespace?: NamespaceName;
    };
  };
}
