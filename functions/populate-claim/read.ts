import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Claim, Namespace, ReferenceGrant, StorageClass, Volume } from '../../lib/cluster/objects.ts';
import type { Place } from '../../lib/cluster/places.ts';
import { isLegalName, type Key, nameOf, resources } from '../../lib/cluster/resources.ts';
import { classOf } from '../../lib/cluster/storage-class.ts';
import { type Copies, readCopies } from '../../lib/data-sources/copies.ts';
import { copyNameOf, isCopyName } from '../../lib/data-sources/names.ts';
import type { VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotLink } from '../../lib/data-sources/objects.ts';
import { isOurs, sourceOf } from '../../lib/data-sources/reference.ts';
import type { World } from '../../lib/reconcile/step.ts';
import { readSettings, type Settings } from '../../lib/settings.ts';
import { readLeftover } from './leftover.ts';
import { readSource, readWish } from './read-source.ts';
import { readTrouble } from './trouble.ts';

/** Everything that the populating of one claim concerns, as it was read. */
export interface PopulatingWorld extends World, Copies {
  readonly claim?: Claim | undefined;
  readonly settings?: Settings | undefined;
  readonly link?: VolumeSnapshotLink | undefined;
  /** The snapshot that is wanted, and the grants of its namespace. */
  readonly wanted?: Place | undefined;
  readonly grants?: readonly ReferenceGrant[] | undefined;
  /** The namespace of the claim, and that of the snapshot where it may be another one than was meant. */
  readonly namespace?: Namespace | undefined;
  readonly sourceNamespace?: Namespace | undefined;
  readonly snapshot?: VolumeSnapshot | undefined;
  readonly content?: VolumeSnapshotContent | undefined;
  readonly storageClass?: StorageClass | undefined;
  /** The prime claim's volume, and that of the claim itself. */
  readonly volume?: Volume | undefined;
  readonly claimVolume?: Volume | undefined;
  /** All volumes were looked through for one that names the prime claim. */
  readonly areVolumesListed?: boolean | undefined;
  /** What its provisioner says of a prime claim that has waited for some time. */
  readonly trouble?: string | undefined;
  /** There was a prime claim when this was read. */
  readonly hadPrime?: boolean | undefined;
  /** The key named copies, whose claim may be gone. */
  readonly isLeftover?: true;
  /** A volume that was made for a prime claim too late. */
  readonly late?: Volume | undefined;
  readonly readAt: Date;
}

export async function read(cluster: Cluster, key: Key, now: Date): Promise<PopulatingWorld> {
  if (isCopyName(key)) return { isLeftover: true, ...(await readLeftover(cluster, key)), readAt: now };
  const claim = await cluster.get<Claim>(nameOf(resources.claim, key.namespace, key.name));
  if (!claim || !isOurs(sourceOf(claim))) return { claim, readAt: now };
  // What is deleted, or has a volume, needs nothing more of its source.
  const isWaiting = !claim.metadata.deletionTimestamp && !claim.spec.volumeName;
  const [copies, wish, settings] = await Promise.all([
    readCopies(cluster, copyNameOf(claim)),
    isWaiting ? readWish(cluster, claim) : {},
    isWaiting ? readSettings(cluster) : undefined,
  ]);
  const { prime } = copies;
  const [source, storageClass, primes, claimVolume, trouble] = await Promise.all([
    readSource(cluster, claim, wish, prime),
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
    ...wish,
    ...source,
    storageClass,
    settings,
    ...primes,
    claimVolume,
    trouble,
    readAt: now,
  };
}

async function readClass(cluster: Cluster, name: string | undefined): Promise<StorageClass | undefined> {
  return name && isLegalName(name)
    ? cluster.get<StorageClass>(nameOf(resources.storageClass, undefined, name))
    : undefined;
}

/**
 * The volume controller writes on a volume whose it is before it writes on the claim which it has. A prime claim that goes
 * is asked for from both sides, as a volume that it has taken in error would go with it.
 */
async function readPrimesVolume(
  cluster: Cluster,
  prime: Claim | undefined,
): Promise<Pick<PopulatingWorld, 'volume' | 'areVolumesListed'>> {
  if (!prime?.metadata.deletionTimestamp || prime.spec.volumeName) {
    return { volume: await readVolume(cluster, prime?.spec.volumeName) };
  }
  const isPrimes = ({ spec }: Volume) => spec.claimRef?.uid === prime.metadata.uid;
  const [volume] = await cluster.list<Volume>(resources.volume, undefined, 'present', {}, isPrimes);
  return { volume, areVolumesListed: true };
}

async function readVolume(cluster: Cluster, name: string | undefined): Promise<Volume | undefined> {
  return name && isLegalName(name) ? cluster.get<Volume>(nameOf(resources.volume, undefined, name)) : undefined;
}
