import type { Claim, Volume } from '../../lib/kubernetes/objects.ts';
import { amountOf } from '../../lib/kubernetes/quantity.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import type { FakeCluster } from './fake-cluster.ts';

interface WithSelector {
  selector?: { matchLabels?: Record<string, string> };
}

/**
 * The volume that the volume controller would bind a claim to: one that is reserved for it, else one that belongs to
 * nobody: the danger of an empty claimRef. Where the class waits for a consumer, the choice of those is the scheduler's.
 */
export function findVolumeFor(cluster: FakeCluster, claim: Claim): Volume | undefined {
  const fitting = cluster.all(resources.volume).filter((volume) => isLargeEnough(volume, claim));
  const reserved = fitting.find((volume) => volume.spec.claimRef && isReservedFor(volume, claim));
  if (reserved || waitsForConsumer(cluster, claim)) return reserved;
  return fitting.find((volume) => isFree(volume) && isOfKind(volume, claim));
}

/** A volume without a uid in its claimRef is for whoever has the name. */
export function isReservedFor({ spec: { claimRef } }: Volume, { metadata: { namespace, name, uid } }: Claim): boolean {
  return claimRef?.namespace === namespace && claimRef?.name === name && (!claimRef?.uid || claimRef.uid === uid);
}

/** Whether a claim that names a volume itself gets it. */
export function mayNameVolume(claim: Claim, volume: Volume): boolean {
  if (volume.spec.claimRef) return isReservedFor(volume, claim);
  return isLargeEnough(volume, claim) && isOfKind(volume, claim);
}

function isLargeEnough({ metadata, spec }: Volume, claim: Claim): boolean {
  if (metadata.deletionTimestamp) return false;
  const { volumeMode = 'Filesystem' } = spec;
  if (volumeMode !== (claim.spec.volumeMode ?? 'Filesystem')) return false;
  const { storage } = claim.spec.resources?.requests ?? {};
  return (amountOf(spec.capacity?.storage) ?? 0) >= (amountOf(storage) ?? 0);
}

function isFree({ spec, status }: Volume): boolean {
  return !spec.claimRef && status?.phase === 'Available';
}

function isOfKind({ metadata, spec }: Volume, claim: Claim): boolean {
  const { matchLabels = {} } = (claim.spec as WithSelector).selector ?? {};
  const { accessModes = [], storageClassName } = claim.spec;
  return (
    spec.storageClassName === storageClassName &&
    accessModes.every((mode) => spec.accessModes?.includes(mode)) &&
    Object.entries(matchLabels).every(([label, value]) => metadata.labels?.[label] === value)
  );
}

function waitsForConsumer(cluster: FakeCluster, { spec }: Claim): boolean {
  if (!spec.storageClassName) return false;
  const storageClass = cluster.read(nameOf(resources.storageClass, undefined, spec.storageClassName));
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}
