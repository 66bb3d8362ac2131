import { isGone } from '../../../../kubernetes/gone.ts';
import type { ClusterObject, Volume } from '../../../../kubernetes/objects.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { type Part, patch, remove, warn } from '../../../../reconcile/writes.ts';
import type { Copies } from '../../copies.ts';
import { isProvisioned, isReserved, markAbandoned, nobody } from '../../given.ts';
import { finalizer } from '../../names.ts';
import { markTaken } from '../../taken.ts';
import { contentPart, primePart, snapshotPart, volumePart } from './parts.ts';
import type { PopulatingWorld } from './world.ts';

export interface Work extends Copies {
  readonly volume?: Volume | undefined;
  readonly areVolumesListed?: boolean | undefined;
}

/** What is to be removed next of the copies: from the one that uses the others to the first. Undefined when nothing is. */
export function undo(work: Work): Decision<PopulatingWorld> | undefined {
  const { snapshotCopy, contentCopy } = work;
  return undoPrime(work) ?? removeOnce(snapshotPart, snapshotCopy) ?? removeOnce(contentPart, contentCopy);
}

/** What is being deleted is still there: nothing of the same name can be made yet. */
export function areGoing({ prime, snapshotCopy, contentCopy }: Copies): boolean {
  return [prime, snapshotCopy, contentCopy].some((copy) => copy?.metadata.deletionTimestamp !== undefined);
}

/** The prime claim's own volume goes with it. It holds nothing but a copy, and nobody has ever used it. */
function undoPrime({ prime, volume, areVolumesListed }: Work): Decision<PopulatingWorld> | undefined {
  if (!prime || isGone(prime)) return undefined;
  const own = volume?.spec.claimRef?.uid === prime.metadata.uid ? volume : undefined;
  const secured = own && !isProvisioned(own) ? secure(own) : undefined;
  if (secured) return secured;
  if (!prime.metadata.deletionTimestamp) return remove(primePart, prime);
  if (!prime.spec.volumeName && !areVolumesListed) return { do: 'reread', reason: 'VolumesNotListed' };
  // Only a volume that is given to nobody any more may lose the policy that its class gave it.
  const unused = own && isProvisioned(own) ? releaseVolume(own) : undefined;
  if (unused) return unused;
  const { finalizers = [] } = prime.metadata;
  if (!finalizers.includes(finalizer)) return undefined;
  return patch(primePart, prime, { metadata: { finalizers: finalizers.filter((name) => name !== finalizer) } });
}

/**
 * What the volume controller keeps for whichever claim has a name next is deleted by nobody, as only what has lost its claim
 * is: so it is given to a claim that never was there.
 */
export function unreserve(part: Part<'volume' | 'late', Volume>, volume: Volume): Decision<PopulatingWorld> {
  const spec = { persistentVolumeReclaimPolicy: 'Delete', claimRef: { uid: nobody, resourceVersion: null } };
  return patch(part, volume, { spec });
}

/** Whoever still takes it for a claim's finds the mark, as they write on the same object. */
export function releaseVolume(volume: Volume): Decision<PopulatingWorld> | undefined {
  if (isReserved(volume)) return unreserve(volumePart, volume);
  if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') return undefined;
  const spec = { persistentVolumeReclaimPolicy: 'Delete' };
  return patch(volumePart, volume, { metadata: { annotations: markAbandoned }, spec });
}

/** Not ours: it must not go with the prime claim, and is made free again afterwards (see leftover.ts). */
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
