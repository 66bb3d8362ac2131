import { isGone } from '../../../../kubernetes/gone.ts';
import type { ClusterObject, Volume } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { type Part, patch, remove, warn } from '../../../../reconcile/writes.ts';
import type { Copies } from '../../copies.ts';
import { isProvisioned, isReserved, markAbandoned, uidOfNoClaim } from '../../given.ts';
import { finalizer } from '../../names.ts';
import { markTaken } from '../../taken.ts';
import { contentPart, primePart, snapshotPart, volumePart } from './parts.ts';
import type { PopulatingWorld } from './world.ts';

export interface Work extends Copies {
  readonly volume?: Volume | undefined;
  readonly areVolumesListed?: boolean | undefined;
}

/** The next copy to remove: from the one that uses the others to the first. Undefined if there is none. */
export function undo(work: Work): Decision<PopulatingWorld> | undefined {
  const { snapshotCopy, contentCopy } = work;
  return undoPrime(work) ?? removeOnce(snapshotPart, snapshotCopy) ?? removeOnce(contentPart, contentCopy);
}

/** A copy that is being deleted still exists: nothing of the same name can be created yet. */
export function areGoing({ prime, snapshotCopy, contentCopy }: Copies): boolean {
  return [prime, snapshotCopy, contentCopy].some((copy) => copy?.metadata.deletionTimestamp !== undefined);
}

/** The prime claim's own volume is deleted with it. It holds only a copy, which was never used. */
function undoPrime({ prime, volume, areVolumesListed }: Work): Decision<PopulatingWorld> | undefined {
  if (!prime || isGone(prime)) return undefined;
  const own = volume?.spec.claimRef?.uid === prime.metadata.uid ? volume : undefined;
  const secured = own && !isProvisioned(own) ? secure(own) : undefined;
  if (secured) return secured;
  if (!prime.metadata.deletionTimestamp) return remove(primePart, prime);
  if (!prime.spec.volumeName && !areVolumesListed) return { do: 'reread', reason: 'VolumesNotListed' };
  // Only a volume that no claim can get any more may lose the policy of its class.
  const unused = own && isProvisioned(own) ? releaseVolume(own) : undefined;
  if (unused) return unused;
  const { finalizers = [] } = prime.metadata;
  if (!finalizers.includes(finalizer)) return undefined;
  return patch(primePart, prime, { metadata: { finalizers: finalizers.filter((name) => name !== finalizer) } });
}

/**
 * A volume that is reserved for the next claim of a name is never deleted, as only a volume that has lost its claim is:
 * so it is bound to a claim that never existed.
 */
export function unreserve(part: Part<'volume' | 'late', Volume>, volume: Volume): Decision<PopulatingWorld> {
  const spec = { persistentVolumeReclaimPolicy: 'Delete', claimRef: { uid: uidOfNoClaim, resourceVersion: null } };
  return patch(part, volume, { spec });
}

/** A worker that still tries to hand it over to a claim finds the mark, as it writes to the same object. */
export function releaseVolume(volume: Volume): Decision<PopulatingWorld> | undefined {
  if (isReserved(volume)) return unreserve(volumePart, volume);
  if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') return undefined;
  const spec = { persistentVolumeReclaimPolicy: 'Delete' };
  return patch(volumePart, volume, { metadata: { annotations: markAbandoned }, spec });
}

/** Not ours: it must not be deleted with the prime claim, and is set free again afterwards (see leftover.ts). */
function secure(volume: Volume): Decision<PopulatingWorld> | undefined {
  const { persistentVolumeReclaimPolicy: policy = 'Retain', claimRef } = volume.spec;
  if (policy === 'Retain') return undefined;
  const message = `was free and was bound to prime claim ${claimRef?.name} by mistake: it is kept, and made free again`;
  const body = {
    metadata: { annotations: markTaken({ by: claimRef?.name ?? '', policy }) },
    spec: { persistentVolumeReclaimPolicy: 'Retain' },
  };
  return patch(volumePart, volume, body, { announce: [warn(volume, 'TakenInError', message)] });
}

function removeOnce<Slot extends string, T extends ClusterObject>(part: Part<Slot, T>, object: NoInfer<T> | undefined) {
  return object && !object.metadata.deletionTimestamp ? remove(part, object) : undefined;
}
