import { isOffered } from '../../../lib/capabilities/transfers/by-annotation/claim-marks.ts';
import { offerOn } from '../../../lib/capabilities/transfers/by-annotation/volume-marks.ts';
import { fenceOf } from '../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import { recordOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import type { ClusterObject, Volume } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import type { Random } from '../random.ts';
import { place, volumeName } from './objects.ts';
import type { Users } from './users.ts';

const source = nameOf(resources.claim, place.source, 'data');
const approval = nameOf(resources.transferApproval, place.source, `to-${place.target}`);

/**
 * Owners who watch what becomes of their claim and change their minds at the very moments at which workers are busy with
 * it, while the server takes its time with volumes: what else would need a rare chance comes about again and again.
 */
export class HastyOwners {
  private readonly cluster: FakeCluster;
  private readonly users: Users;
  private readonly beforeDeletion: (object: ClusterObject) => void;
  private readonly moods = new Set<'offers' | 'approves'>();
  /** The offer has been taken back between the fence and the record. */
  private hasTakenBack = false;

  constructor(cluster: FakeCluster, users: Users, beforeDeletion: (object: ClusterObject) => void) {
    this.cluster = cluster;
    this.users = users;
    this.beforeDeletion = beforeDeletion;
  }

  begin(mood: 'offers' | 'approves'): void {
    this.moods.add(mood);
  }

  end(): void {
    this.moods.clear();
  }

  /** How many other calls are answered before this one. */
  holdUp({ object, verb }: PendingCall, random: Random): number {
    const isSlow = (verb === 'get' && this.moods.has('approves')) || (verb === 'patch' && this.moods.has('offers'));
    return isSlow && object.startsWith('PersistentVolume /') && random.chance(0.5) ? 20 + random.below(30) : 0;
  }

  react(random: Random): void {
    if (this.moods.has('offers')) this.offer();
    if (this.moods.has('approves') && random.chance(0.7)) this.approve(random);
  }

  private offer(): void {
    const claim = this.cluster.read(source);
    if (!claim || claim.metadata.deletionTimestamp) {
      this.end();
      return;
    }
    const isRecorded = offerOn(this.volume()) !== undefined;
    const isWanted = claim.metadata.annotations?.transferRequest !== undefined;
    if (isWanted) {
      // Too late: this time its volume is safe already.
      if (isOffered(claim) || isRecorded) this.write(null);
      this.hasTakenBack = isOffered(claim) && !isRecorded;
    } else if (isRecorded && !isOffered(claim) && this.hasTakenBack) {
      this.beforeDeletion(claim);
      this.users.delete(resources.claim, place.source, 'data');
    } else if (!isRecorded && !isOffered(claim)) this.agree();
  }

  /** Both sides at the same time: so a worker has each key. */
  private agree(): void {
    this.write(`${place.target}/moved`);
    this.users.annotate(place.target, 'moved', { transferAccept: null });
    this.users.accept(place.target, 'moved');
  }

  /** Back and forth as long as the claim is fenced, and nothing is past the point of no return. */
  private approve(random: Random): void {
    if (recordOf(this.volume())) return;
    const isFenced = fenceOf(this.cluster.read(source)) !== undefined;
    const isApproved = this.cluster.read(approval) !== undefined;
    // When it has been let go they take their time.
    if (!isApproved && (isFenced || random.chance(0.1))) this.users.approve(place.target, 'move');
    else if (!isApproved) return;
    else if (isFenced) this.users.delete(resources.transferApproval, place.source, `to-${place.target}`);
  }

  private write(transferRequest: string | null): void {
    this.users.annotate(place.source, 'data', { transferRequest });
  }

  private volume(): Volume | undefined {
    return this.cluster.read(nameOf(resources.volume, undefined, volumeName));
  }
}
