import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Claim, Volume } from '../../../../kubernetes/objects.ts';
import { parseIdentity } from '../../../../kubernetes/places.ts';
import { type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { note, patch } from '../../../../reconcile/writes.ts';
import { type Copies, readCopies } from '../../copies.ts';
import { copyKeyOf, isProvisioned, isReserved } from '../../given.ts';
import { claimAnnotation } from '../../names.ts';
import { awaitsPolicy, noLongerTaken, takenOn } from '../../taken.ts';
import { latePart } from './parts.ts';
import { undo, unreserve } from './undo.ts';
import type { PopulatingWorld } from './world.ts';

/**
 * Objects with the name of copies whose claim may be gone: someone removed its finalizer, a delayed worker made a copy
 * too late, or a provisioner finished only after the prime claim had been deleted.
 */
export interface Leftover extends Copies {
  /** The claim that the copies are for, if that very one still exists. */
  claim?: Claim | undefined;
  /** The prime claim's volume, and one that was made for an earlier prime claim of the same name. */
  volume?: Volume | undefined;
  late?: Volume | undefined;
  areVolumesListed?: boolean | undefined;
}

export async function readLeftover(cluster: Cluster, key: Key): Promise<Leftover> {
  const copies = await readCopies(cluster, key.name);
  // The volumes are listed after the prime claim is read: one that names it may have been bound to it in between.
  const isWanted = (volume: Volume) => isNamed(volume, key) || takenOn(volume)?.by === key.name;
  const named = await cluster.list(resources.volume, undefined, 'present', {}, isWanted);
  // A volume that has been set free belongs to no claim, and there may be no prime claim either.
  const isPresent = ({ spec }: Volume) =>
    spec.claimRef?.uid !== undefined && spec.claimRef.uid === copies.prime?.metadata.uid;
  const late = named.find((volume) => !isPresent(volume) && clearVolume(volume) !== undefined);
  const claim = await readClaim(cluster, copies);
  const areVolumesListed = copies.prime?.metadata.deletionTimestamp !== undefined;
  return { ...copies, volume: named.find(isPresent), late, areVolumesListed, claim };
}

function isNamed({ spec }: Volume, { namespace, name }: Key): boolean {
  return spec.claimRef?.namespace === namespace && spec.claimRef?.name === name;
}

async function readClaim(cluster: Cluster, { prime, snapshotCopy, contentCopy }: Copies): Promise<Claim | undefined> {
  const copy = prime ?? snapshotCopy ?? contentCopy;
  const identity = parseIdentity(copy?.metadata.annotations?.[claimAnnotation]);
  if (!identity) return undefined;
  const claim = await cluster.get(nameOf(resources.claim, identity.namespace, identity.name));
  return claim?.metadata.uid === identity.uid ? claim : undefined;
}

/** While its claim exists, that claim's own key handles everything but a volume that came too late. */
export function clearLeftover(leftover: Leftover): Decision<PopulatingWorld> {
  const { claim, late } = leftover;
  const next = (late ? clearVolume(late) : undefined) ?? (claim ? undefined : undo(leftover));
  return next ?? { do: 'done', reason: claim ? 'ClaimThere' : 'Cleared' };
}

function clearVolume(volume: Volume): Decision<PopulatingWorld> | undefined {
  if (!copyKeyOf(volume)) return awaitsPolicy(volume) ? restore(volume) : undefined;
  if (!isProvisioned(volume)) return volume.status?.phase === 'Released' ? free(volume) : undefined;
  // A volume that was made while its prime claim was bound to another one stays reserved for the next prime claim of
  // that name.
  return isReserved(volume) ? unreserve(latePart, volume) : drop(volume);
}

/** It holds a copy that was never used. With the policy Delete it is deleted without our help. */
function drop(volume: Volume): Decision<PopulatingWorld> | undefined {
  if (volume.status?.phase !== 'Released' || volume.spec.persistentVolumeReclaimPolicy === 'Delete') return undefined;
  const announce = [note(volume, 'NotNeeded', 'was created for a claim that no longer needs it, and is deleted')];
  return patch(latePart, volume, { spec: { persistentVolumeReclaimPolicy: 'Delete' } }, { announce });
}

/** It was free before, and was bound in error. It stays retained until the cluster no longer counts it as Released. */
function free(volume: Volume): Decision<PopulatingWorld> | undefined {
  if (volume.spec.persistentVolumeReclaimPolicy !== 'Retain') return undefined;
  const annotations = { 'pv.kubernetes.io/bound-by-controller': null };
  return patch(latePart, volume, { metadata: { annotations }, spec: { claimRef: null } });
}

function restore(volume: Volume): Decision<PopulatingWorld> {
  const persistentVolumeReclaimPolicy = takenOn(volume)?.policy;
  return patch(latePart, volume, { metadata: { annotations: noLongerTaken }, spec: { persistentVolumeReclaimPolicy } });
}
