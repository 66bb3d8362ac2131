import { finalizer, isCopyName } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../../../lib/capabilities/data-sources/objects.ts';
import type { Claim, ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { annotations } from '../../../tools/csi-stand-in/names.ts';
import { snapshotOf } from '../../../tools/csi-stand-in/objects.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { Random } from '../random.ts';
import { User } from '../user.ts';
import type { FakeCsiDriver } from './fake-csi-driver.ts';
import { className, driverName, freeVolume, place, type SnapshotName, sourceName } from './objects.ts';

const foreignFinalizer = 'example.com/hold';

/** What needs more than one look or write. */
export class Users extends User {
  /** The snapshots and the claim of the source that a user has deleted, by uid: what becomes of them is their wish. */
  readonly givenUp = new Set<string>();
  /** Volumes that lay about, by name, with the policy that each had. */
  readonly freeVolumes = new Map<string, 'Delete' | 'Retain'>();
  /** What applications have written, by volume. */
  readonly written = new Map<string, string>();
  private readonly csi: FakeCsiDriver;
  private readonly random: Random;
  private texts = 0;

  constructor(cluster: FakeCluster, csi: FakeCsiDriver, random: Random) {
    super(cluster);
    this.csi = csi;
    this.random = random;
  }

  /** Whoever deletes a claim gives up what is in its volume. */
  override delete(resource: Resource, namespace: string | undefined, name: string): void {
    if (resource === resources.claim) this.giveUp(this.cluster.read(nameOf(resource, namespace, name)));
    super.delete(resource, namespace, name);
  }

  /** Each snapshot has data of its own, so that it shows which one a volume was made from. */
  takeSnapshot(name: SnapshotName): boolean {
    const source = this.cluster.read(nameOf(resources.claim, place.source, sourceName));
    const isThere = this.cluster.read(nameOf(resources.snapshot, place.source, name)) !== undefined;
    // Later owners may have got a volume that lay about, and what is in that is nobody's to tell apart.
    const { volumeName = '' } = source?.spec ?? {};
    if (!source || isThere || !volumeName || this.freeVolumes.has(volumeName)) return false;
    this.writeSource(source);
    this.create(snapshotOf(source, name, className));
    return true;
  }

  /** New data in the source, as its application writes it. */
  writeSource(source = this.cluster.read(nameOf(resources.claim, place.source, sourceName))): void {
    const handle = this.handleOf(source?.spec.volumeName);
    if (handle === undefined || !this.csi.diskOf(driverName).hasVolume(handle)) return;
    this.texts += 1;
    this.csi.diskOf(driverName).write(handle, `data ${this.texts}`);
  }

  /** The application of a source writes as soon as it has its volume, before anybody can clone that. */
  beginToUse(claim: Claim): void {
    const { namespace, name } = claim.metadata;
    const { volumeName = '' } = claim.spec;
    const isSource = namespace === place.source && name === sourceName && claim.status?.phase === 'Bound';
    const handle = isSource && !this.freeVolumes.has(volumeName) ? this.handleOf(volumeName) : undefined;
    if (handle !== undefined && !this.csi.diskOf(driverName).contentOf(handle)) this.writeSource(claim);
  }

  private handleOf(volumeName: string | undefined): string | undefined {
    const volume = volumeName && this.cluster.read(nameOf(resources.volume, undefined, volumeName));
    return volume ? String(volume.spec.csi?.volumeHandle) : undefined;
  }

  giveUpSnapshot(name: SnapshotName): void {
    this.giveUp(this.cluster.read(nameOf(resources.snapshot, place.source, name)));
    this.delete(resources.snapshot, place.source, name);
  }

  giveUpSource(): void {
    this.giveUp(this.cluster.read(nameOf(resources.claim, place.source, sourceName)));
    this.delete(resources.claim, place.source, sourceName);
  }

  giveUp(object: ClusterObject | undefined): void {
    if (object) this.givenUp.add(object.metadata.uid ?? '');
  }

  /** The pods of the claims that are bound write into their volumes. */
  writeData(): void {
    for (const { metadata, spec, status } of this.cluster.all(resources.claim)) {
      const { volumeName = '' } = spec;
      const isUsed = status?.phase === 'Bound' && metadata.namespace !== place.system && metadata.name !== sourceName;
      const handle = isUsed && !this.freeVolumes.has(volumeName) ? this.handleOf(volumeName) : undefined;
      if (handle === undefined || !this.csi.diskOf(driverName).hasVolume(handle)) continue;
      this.texts += 1;
      const text = `written ${this.texts}`;
      this.written.set(volumeName, text);
      this.csi.diskOf(driverName).write(handle, text);
    }
  }

  /** Somebody else's finalizer holds what is to go. */
  hold(resource: Resource, isMeant: (object: ClusterObject) => boolean): void {
    for (const object of this.cluster.all(resource).filter(isMeant)) {
      const { namespace, name, finalizers = [] } = object.metadata;
      if (finalizers.includes(foreignFinalizer)) continue;
      this.change(resource, namespace, name, { metadata: { finalizers: [...finalizers, foreignFinalizer] } });
    }
  }

  letGo(): void {
    const kinds: Resource[] = [resources.claim, resources.snapshot, resources.snapshotContent];
    for (const resource of kinds) {
      for (const { metadata } of this.cluster.all(resource)) {
        const { namespace, name, finalizers = [] } = metadata;
        if (!finalizers.includes(foreignFinalizer)) continue;
        const others = finalizers.filter((each) => each !== foreignFinalizer);
        this.change(resource, namespace, name, { metadata: { finalizers: others } });
      }
    }
  }

  isVolumeReady(): boolean {
    return this.cluster.all(resources.claim, place.system).some(({ status }) => status?.phase === 'Bound');
  }

  /** Deletes one of the objects that Longshore has made for a claim. */
  deleteCopy(resource: Resource<Claim | VolumeSnapshot | VolumeSnapshotContent>): void {
    const ours = this.cluster.all(resource).find(({ metadata: { namespace = place.system, name } }) => {
      return isCopyName({ namespace, name });
    });
    if (ours) this.delete(resource, ours.metadata.namespace, ours.metadata.name);
  }

  stripFinalizers(): void {
    for (const { metadata } of this.cluster.all(resources.claim)) {
      const { namespace, name, finalizers = [] } = metadata;
      if (namespace === place.system || !finalizers.includes(finalizer)) continue;
      const others = finalizers.filter((each) => each !== finalizer);
      this.change(resources.claim, namespace, name, { metadata: { finalizers: others } });
    }
  }

  /** The provisioner cannot make the volume for the node that was chosen. */
  withdrawNode(): void {
    for (const { metadata } of this.cluster.all(resources.claim, place.system)) {
      const withdrawn = { metadata: { annotations: { [annotations.selectedNode]: null } } };
      this.change(resources.claim, place.system, metadata.name, withdrawn);
    }
  }

  makeFreeVolume(): void {
    const name = `free-${this.freeVolumes.size + 1}`;
    const policy = this.random.chance(0.5) ? 'Delete' : 'Retain';
    this.freeVolumes.set(name, policy);
    this.csi.diskOf(driverName).createVolume(name, 2 ** 31);
    this.csi.diskOf(driverName).write(name, `data of ${name}`);
    this.create(freeVolume({ name, policy, wasProvisioned: this.random.chance(0.5) }));
  }

  fare(how: 'failing' | 'hanging' | 'uploading' | undefined): void {
    const driver = this.csi.driver(driverName);
    for (const each of ['failing', 'hanging', 'uploading'] as const) driver[each] = each === how;
  }
}
