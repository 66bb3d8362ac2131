import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Claim, ReferenceGrant, StorageClass, Volume } from '../../lib/cluster/objects.ts';
import type { Place } from '../../lib/cluster/places.ts';
import { readGrants } from '../../lib/cluster/reference-grants.ts';
import { isLegalName, type Key, nameOf, resources } from '../../lib/cluster/resources.ts';
import { type Copies, readCopies } from '../../lib/data-sources/copies.ts';
import { copyNameOf, isCopyName } from '../../lib/data-sources/names.ts';
import type { VolumeSnapshot, VolumeSnapshotContent, VolumeSnapshotLink } from '../../lib/data-sources/objects.ts';
import { isOurs, sourceOf } from '../../lib/data-sources/reference.ts';
import type { World } from '../../lib/reconcile/step.ts';
import { readSettings, type Settings } from '../../lib/settings.ts';
import { isConsentGiven } from './consent.ts';
import { readLeftover } from './leftover.ts';
import { readTrouble } from './trouble.ts';

/** Everything that the populating of one claim concerns, as it was read. */
export interface PopulatingWorld extends World, Copies {
  readonly claim?: Claim | undefined;
  readonly settings?: Settings | undefined;
  readonly link?: VolumeSnapshotLink | undefined;
  /** The snapshot that is wanted, and the grants of its namespace. */
  readonly wanted?: Place | undefined;
  readonly grants?: readonly ReferenceGrant[] | undefined;
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
    isWaiting && !prime ? readClass(cluster, claim.spec.storageClassName) : undefined,
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

/** Which snapshot is wanted, and the link that says so. */
type Wish = Pick<PopulatingWorld, 'link' | 'wanted'>;
type Source = Pick<PopulatingWorld, 'grants' | 'snapshot' | 'content'>;

async function readSource(
  cluster: Cluster,
  claim: Claim,
  { link, wanted }: Wish,
  prime: Claim | undefined,
): Promise<Source> {
  if (!wanted || ![wanted.namespace, wanted.name].every(isLegalName)) return {};
  const [grants, snapshot] = await Promise.all([
    readConsent(cluster, claim, link, wanted, prime),
    cluster.get<VolumeSnapshot>(nameOf(resources.snapshot, wanted.namespace, wanted.name)),
  ]);
  const contentName = snapshot?.status?.boundVolumeSnapshotContentName;
  // Once the volume is made nothing more is copied of it.
  const isReadable = contentName !== undefined && isLegalName(contentName);
  // Whoever has no grant must not see from a failure to read it that there is one.
  const isNeeded = isReadable && !prime?.spec.volumeName && isConsentGiven(claim, link, wanted, grants);
  const content = isNeeded
    ? await cluster.get<VolumeSnapshotContent>(nameOf(resources.snapshotContent, undefined, contentName))
    : undefined;
  return { grants, snapshot, content };
}

/**
 * What the snapshot's owner says. The server answers from what it has seen most recently at once: that does for making
 * copies, which nobody gets at. It has to be sure before it says no, and before anybody gets the data.
 */
async function readConsent(
  cluster: Cluster,
  claim: Claim,
  link: VolumeSnapshotLink | undefined,
  wanted: Place,
  prime: Claim | undefined,
): Promise<ReferenceGrant[]> {
  if (isConsentGiven(claim, link, wanted, [])) return [];
  if (prime?.spec.volumeName) return readGrants(cluster, wanted.namespace);
  const grants = await readGrants(cluster, wanted.namespace, 'recent');
  return isConsentGiven(claim, link, wanted, grants) ? grants : readGrants(cluster, wanted.namespace);
}

/** Which snapshot the claim asks for: by our own kind of reference, or by what its link says. */
async function readWish(cluster: Cluster, claim: Claim): Promise<Wish> {
  const source = sourceOf(claim);
  if (source?.type === 'reference') return { wanted: { namespace: source.namespace, name: source.name } };
  if (source?.type !== 'link' || !isLegalName(source.name)) return {};
  const { namespace = '' } = claim.metadata;
  const link = await cluster.get<VolumeSnapshotLink>(nameOf(resources.snapshotLink, namespace, source.name));
  if (!link) return {};
  return { link, wanted: { namespace: link.spec.source.namespace || namespace, name: link.spec.source.name } };
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
  const volumes = await cluster.list<Volume>(resources.volume, undefined);
  const volume = volumes.find(({ spec }) => spec.claimRef?.uid === prime.metadata.uid);
  return { volume, areVolumesListed: true };
}

async function readVolume(cluster: Cluster, name: string | undefined): Promise<Volume | undefined> {
  return name && isLegalName(name) ? cluster.get<Volume>(nameOf(resources.volume, undefined, name)) : undefined;
}
