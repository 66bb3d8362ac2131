import { isCopy } from '../../../lib/capabilities/data-sources/names.ts';
import type { VolumeSnapshot } from '../../../lib/capabilities/data-sources/objects.ts';
import type { Claim, Volume } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { MemoryDisk } from '../../../tools/csi-stand-in/memory-disk.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { place, type SnapshotName } from './objects.ts';

export interface Taken {
  uid: string;
  name: SnapshotName;
  /** The uid of the namespace that it was taken in. */
  namespace: string;
  text: string;
}

/** What data there is, and where: by the texts on the disk, which Longshore never sees. */
export class Holdings {
  /** Every snapshot of the source that was ever ready, by uid. */
  readonly taken = new Map<string, Taken>();
  /** The volumes that were ever made for, or bound to, a prime claim. */
  readonly ofPrimes = new Set<string>();
  private readonly cluster: FakeCluster;
  private readonly disk: MemoryDisk;

  constructor(cluster: FakeCluster, disk: MemoryDisk) {
    this.cluster = cluster;
    this.disk = disk;
  }

  note(snapshot: VolumeSnapshot): void {
    const { uid = '', name, namespace } = snapshot.metadata;
    if (namespace !== place.source || isCopy(snapshot) || this.taken.has(uid)) return;
    const text = this.disk.snapshotContentOf(handleOf(uid));
    const home = this.cluster.namespaces.get(place.source)?.metadata.uid ?? '';
    if (text) this.taken.set(uid, { uid, name: name as SnapshotName, namespace: home, text });
  }

  isOnDisk(snapshot: string): boolean {
    return this.disk.hasSnapshot(handleOf(snapshot));
  }

  /** The text in a volume; undefined when there is no such data. */
  textIn(volume: Volume | undefined): string | undefined {
    return volume && this.disk.contentOf(String(volume.spec.csi?.volumeHandle));
  }

  textOf({ spec }: Claim): string | undefined {
    return this.textIn(this.cluster.read(nameOf(resources.volume, undefined, spec.volumeName ?? 'none')));
  }

  /** The snapshots that a volume may have been made from. */
  originsOf(volume: Volume): Taken[] {
    const text = this.textIn(volume);
    return [...this.taken.values()].filter((taken) => taken.text === text);
  }
}

function handleOf(snapshot: string): string {
  return `snapshot-${snapshot}`;
}
