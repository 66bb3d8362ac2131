import { isHandedTo } from '../../../lib/capabilities/data-sources/given.ts';
import { copyNameOf, finalizer, isCopy } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshot, VolumeSnapshotLink } from '../../../lib/capabilities/data-sources/objects.ts';
import { populatedConditionOf } from '../../../lib/capabilities/data-sources/populated.ts';
import { isOurs, sourceOf } from '../../../lib/capabilities/data-sources/reference.ts';
import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { checkProvisioned } from './end-provisioned.ts';
import { type Ended, expectSaid } from './ended.ts';
import { pathOf, place } from './objects.ts';

/** What must be true in the end, when nothing moves any more and no obstacle is left. */
export function checkEnd(ended: Ended): void {
  const { cluster } = ended;
  checkCopies(cluster);
  for (const volume of cluster.all(resources.volume)) checkVolume(ended, volume);
  checkDisk(ended);
  for (const claim of cluster.all(resources.claim)) {
    // What is said of a copy is said on the claim that it is for.
    const source = isCopy(claim) ? undefined : sourceOf(claim);
    if (isOurs(source)) checkPopulated(ended, claim);
    else if (source) checkProvisioned(ended, claim);
  }
}

/** Nothing is left of what was made for claims, but for those that wait for a snapshot which is still being taken. */
function checkCopies(cluster: FakeCluster): void {
  const waiting = cluster.all(resources.claim).filter((claim) => {
    return claim.status?.phase === 'Pending' && populatedConditionOf(claim)?.reason === 'SnapshotNotReady';
  });
  const excused = waiting.flatMap((claim) => [claim.metadata.uid, copyNameOf(claim)]);
  const kinds: Resource[] = [resources.claim, resources.snapshot, resources.snapshotContent];
  for (const object of kinds.flatMap((resource) => cluster.all(resource))) {
    const { name, uid, finalizers } = object.metadata;
    if (excused.includes(name) || excused.includes(uid)) continue;
    if (isCopy(object)) throw new Violation(`${pathOf(object)} is left over`);
    if (finalizers?.includes(finalizer)) throw new Violation(`${pathOf(object)} is still held`);
  }
}

function checkVolume({ cluster, scenario, holdings }: Ended, volume: Volume): void {
  const { name, annotations = {} } = volume.metadata;
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
  if (claimRef?.namespace === place.system) throw new Violation(`volume ${name} is left over from a prime claim`);
  if (annotations['longshore.dev/taken-in-error']) throw new Violation(`volume ${name} still has its mark`);
  const before = scenario.users.freeVolumes.get(name);
  if (policy !== (before ?? scenario.policy)) throw new Violation(`the policy of volume ${name} is ${policy}`);
  const isAnybodys = !before && !claimRef?.uid;
  if (!isAnybodys) return;
  if (holdings.ofPrimes.has(name)) throw new Violation(`volume ${name} is left to whoever has the name of its claim`);
  checkReservedTold(cluster, volume);
}

/** What a provisioner made by itself for a claim that has another volume by now is the cluster's matter: it is told. */
function checkReservedTold(cluster: FakeCluster, { metadata, spec }: Volume): void {
  const { namespace, name = '' } = spec.claimRef ?? {};
  const claim = cluster.read(nameOf(resources.claim, namespace, name));
  if (!claim || metadata.name !== `pvc-${claim.metadata.uid}` || !sourceOf(claim)) return;
  if (populatedConditionOf(claim)?.message.includes(`volume ${metadata.name} `)) return;
  throw new Violation(`volume ${metadata.name} is left to whoever has the name of its claim, and nobody is told`);
}

/** Each volume on the disk is somebody's, and all that lay about is still there. Snapshots there are none of ours. */
function checkDisk({ cluster, disk, scenario }: Ended): void {
  const { volumes } = disk.handles();
  const known = cluster.all(resources.volume).map(({ spec }) => String(spec.csi?.volumeHandle));
  const stray = volumes.find((handle) => !known.includes(handle));
  if (stray) throw new Violation(`${stray} is on the disk and nobody's`);
  for (const { metadata, spec } of cluster.all(resources.volume)) {
    const handle = String(spec.csi?.volumeHandle);
    if (!disk.hasVolume(handle)) throw new Violation(`the data of volume ${metadata.name} is lost`);
    const isFree = scenario.users.freeVolumes.has(metadata.name);
    if (isFree && disk.contentOf(handle) !== `data of ${metadata.name}`)
      throw new Violation(`${handle} was overwritten`);
  }
}

/** A claim has the data that it asks for, or says rightly why not. */
function checkPopulated(ended: Ended, claim: Claim): void {
  if (claim.metadata.deletionTimestamp) throw new Violation(`${pathOf(claim)} is deleted, but does not go`);
  if (claim.spec.volumeName) checkVolumeOf(ended, claim);
  else {
    const { reasons, because } = whyWaiting(ended, claim);
    expectSaid(claim, 'False', reasons, because);
  }
}

function checkVolumeOf({ cluster }: Ended, claim: Claim): void {
  const volume = cluster.read(nameOf(resources.volume, undefined, claim.spec.volumeName ?? 'none'));
  if (claim.status?.phase !== 'Bound' || !volume) throw new Violation(`${pathOf(claim)} has lost its volume`);
  if (isHandedTo(claim, volume)) {
    expectSaid(claim, 'True', ['Populated'], 'it has its data');
    return;
  }
  const { status } = populatedConditionOf(claim) ?? {};
  expectSaid(claim, status === 'Unknown' ? status : 'False', ['BoundToOtherVolume'], 'it has another volume');
}

interface Expected {
  reasons: string[];
  because: string;
}

function whyWaiting({ cluster, scenario, wishes }: Ended, claim: Claim): Expected {
  const { reason } = populatedConditionOf(claim) ?? {};
  const stray = 'OtherVolumeMatches';
  if (reason === stray && scenario.users.freeVolumes.size > 0) return { reasons: [stray], because: 'one was taken' };
  // A snapshot that was never finished can hold its namespace, where nobody can grant anything any more.
  if (cluster.namespaces.get(place.source)?.metadata.deletionTimestamp) {
    return { reasons: ['NotGranted'], because: 'the namespace of its snapshot is going' };
  }
  const snapshot = snapshotOf(cluster, claim);
  if (!snapshot || snapshot.metadata.deletionTimestamp) {
    return { reasons: ['SnapshotMissing'], because: 'its snapshot is not there' };
  }
  if (wishes.isOutlived(claim)) return { reasons: ['SourceNamespaceReplaced'], because: 'another namespace was meant' };
  const isReady = snapshot.status?.readyToUse === true;
  return { reasons: isReady ? [] : ['SnapshotNotReady'], because: `its snapshot is ${isReady ? '' : 'not '}ready` };
}

function snapshotOf(cluster: FakeCluster, claim: Claim): VolumeSnapshot | undefined {
  const source = sourceOf(claim);
  const name = source?.type === 'link' ? linkOf(cluster, claim, source.name)?.spec.source.name : undefined;
  const wanted = source?.type === 'reference' ? source.name : name;
  return cluster.read(nameOf(resources.snapshot, place.source, wanted ?? 'none'));
}

function linkOf(cluster: FakeCluster, { metadata }: Claim, name: string): VolumeSnapshotLink | undefined {
  return cluster.read(nameOf(resources.snapshotLink, metadata.namespace, name));
}
