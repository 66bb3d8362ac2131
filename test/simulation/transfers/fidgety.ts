import { offerOn } from '../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import { undoingOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import { place, volumeName } from './objects.ts';
import type { Users } from './users.ts';

/**
 * Somebody who changes their own claim, to which a volume is to go, each time that a worker is about to write to it: so that
 * every such write is refused. What is due to the other side must come about meanwhile.
 */
export class FidgetyOwner {
  private readonly cluster: FakeCluster;
  private readonly users: Users;
  private changes = 0;
  isAtIt = false;

  constructor(cluster: FakeCluster, users: Users) {
    this.cluster = cluster;
    this.users = users;
  }

  /** Before a call is answered. */
  anticipate({ verb, object }: PendingCall): void {
    if (!this.isAtIt || !['patch', 'delete'].includes(verb)) return;
    if (object !== `PersistentVolumeClaim ${place.target}/moved`) return;
    this.changes += 1;
    const metadata = { labels: { version: String(this.changes) } };
    this.users.change(resources.claim, place.target, 'moved', { metadata });
  }

  /** When all has come to rest that can while they go on. */
  check(): void {
    const volume = this.cluster.read(nameOf(resources.volume, undefined, volumeName));
    const source = this.cluster.read(nameOf(resources.claim, place.source, 'data'));
    if (undoingOf(volume)) throw new Violation('a roll-back waits for as long as somebody changes their claim');
    const offer = offerOn(volume);
    if (!source?.metadata.deletionTimestamp || !offer || offer.source.uid !== source.metadata.uid) return;
    if (offer.isStopped || volume?.spec.claimRef?.uid !== source.metadata.uid) return;
    const isGoing = this.cluster.namespaces.get(place.source)?.metadata.deletionTimestamp !== undefined;
    const isOnlyOurs = source.metadata.finalizers?.every((finalizer) => finalizer.startsWith('longshore.dev/'));
    if (isGoing && isOnlyOurs) throw new Violation('a namespace waits for as long as somebody changes their claim');
    const isTold = source.status?.conditions?.some(({ type }) => type === 'Transferred');
    if (!isTold && !this.isReady()) throw new Violation('the owner of a source is not told why it stays');
  }

  /** Only the acceptance is to be confirmed, which is up to those who change their claim. */
  private isReady(): boolean {
    const target = this.cluster.read(nameOf(resources.claim, place.target, 'moved'));
    return target?.metadata.annotations?.transferAccept !== undefined;
  }
}
