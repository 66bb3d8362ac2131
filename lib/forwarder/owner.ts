import type { ClusterObject } from '../kubernetes/objects.ts';

/** What an object without a namespace may say of the one that it is for. */
interface Referring {
  spec?: {
    claimRef?: { namespace?: unknown };
    bucketRef?: { namespace?: unknown };
    volumeSnapshotRef?: { namespace?: unknown };
  };
}

/** The namespace on whose behalf a change of an object is told, as far as the object says it. */
export function ownerOf(object: ClusterObject): string | undefined {
  if (object.metadata.namespace !== undefined) return object.metadata.namespace;
  const { claimRef, bucketRef, volumeSnapshotRef } = (object as Referring).spec ?? {};
  const owner = (claimRef ?? bucketRef ?? volumeSnapshotRef)?.namespace;
  return typeof owner === 'string' ? owner : undefined;
}
