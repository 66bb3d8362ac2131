import type { Name } from '../../../../kubernetes/brands.ts';
import type { Cluster } from '../../../../kubernetes/cluster.ts';
import type { Claim, StorageClass, Volume } from '../../../../kubernetes/objects.ts';
import { isLegalName, type Key, nameOf, resources } from '../../../../kubernetes/resources.ts';
import { classOf } from '../../../../kubernetes/storage-class.ts';
import { readSettings } from '../../../settings.ts';
import { readCopies } from '../../copies.ts';
import { copyNameOf, isCopyName } from '../../names.ts';
import { isOurs, sourceOf } from '../../reference.ts';
import { readLeftover } from './leftover.ts';
import { readReferenced, readSource } from './read-source.ts';
import { readTrouble } from './trouble.ts';
import type { PopulatingWorld } from './world.ts';

export async function read(cluster: Cluster, key: Key, now: Date): Promise<PopulatingWorld> {
  if (isCopyName(key)) return { isLeftover: true, ...(await readLeftover(cluster, key)), readAt: now };
  const claim = await cluster.get(nameOf(resources.claim, key.namespace, key.name));
  if (!claim || !isOurs(sourceOf(claim))) return { claim, readAt: now };
  // A claim that is being deleted, or has a volume, needs nothing more of its source.
  const isWaiting = !claim.metadata.deletionTimestamp && !claim.spec.volumeName;
  const [copies, referenced, settings] = await Promise.all([
    readCopies(cluster, copyNameOf(claim)),
    isWaiting ? readReferenced(cluster, claim) : {},
    isWaiting ? readSettings(cluster) : undefined,
  ]);
  const { prime } = copies;
  const [source, storageClass, primes, claimVolume, trouble] = await Promise.all([
    readSource(cluster, claim, referenced, prime),
    isWaiting && !prime ? readClass(cluster, classOf(claim)) : undefined,
    readPrimesVolume(cluster, prime),
    readVolume(cluster, prime?.spec.volumeName === claim.spec.volumeName ? undefined : claim.spec.volumeName),
    isWaiting ? readTrouble(cluster, prime, now) : undefined,
  ]);
  const hadPrime = prime !== undefined;
  return {
    claim,
    hadPrime,
    ...copies,
    ...referenced,
    ...source,
    storageClass,
    settings,
    ...primes,
    claimVolume,
    trouble,
    readAt: now,
  };
}

async function readClass(cluster: Cluster, name: Name | undefined): Promise<StorageClass | undefined> {
  return name && isLegalName(name) ? cluster.get(nameOf(resources.storageClass, undefined, name)) : undefined;
}

/**
 * The volume controller writes the claim to the volume before it writes the volume to the claim. For a prime claim that
 * is being deleted both sides are read, as a volume that was bound in error would be deleted with it.
 */
async function readPrimesVolume(
  cluster: Cluster,
  prime: Claim | undefined,
): Promise<Pick<PopulatingWorld, 'volume' | 'areVolumesListed'>> {
  if (!prime?.metadata.deletionTimestamp || prime.spec.volumeName) {
    return { volume: await readVolume(cluster, prime?.spec.volumeName) };
  }
  const isPrimes = ({ spec }: Volume) => spec.claimRef?.uid === prime.metadata.uid;
  const [volume] = await cluster.list(resources.volume, undefined, 'present', {}, isPrimes);
  return { volume, areVolumesListed: true };
}

async function readVolume(cluster: Cluster, name: Name | undefined): Promise<Volume | undefined> {
  return name && isLegalName(name) ? cluster.get(nameOf(resources.volume, undefined, name)) : undefined;
}
