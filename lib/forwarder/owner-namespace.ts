import type { ClusterObject } from '../kubernetes/objects.ts';

/** The namespace that uses a cluster-scoped object, as the object names it. */
interface Referring {
  spec?: {
    claimRef?: { namespace?: unknown };
    bucketRef?: { namespace?: unknown };
    volumeSnapshotRef?: { namespace?: unknown };
  };
}

/** The namespace on whose behalf a change is sent, if the object names one. */
export function ownerOf(object: ClusterObject): string | undefined {
  if (object.metadata.namespace !== undefined) return object.metadata.namespace;
  const { claimRef, bucketRef, volumeSnapshotRef } = (object as Referring).spec ?? {};
  const owner = (claimRef ?? bucketRef ?? volumeSnapshotRef)?.namespace;
  return typeof owner === 'string' ? owner : undefined;
}
