import { provisionerLabel } from '../../../lib/capabilities/buckets/names.ts';
import type { Bucket, BucketContent } from '../../../lib/capabilities/buckets/objects.ts';
import { decode } from '../../../lib/capabilities/buckets/secrets.ts';
import type { Secret } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import { type Invariants, Violation } from '../capability.ts';
import type { ClusterChange, FakeCluster } from '../fake-cluster.ts';
import type { PendingCall } from '../gate.ts';
import type { GatedStore } from './gated-store.ts';
import { isForTeamAlone, oldBucket, system, team } from './objects.ts';
import { checkTheirs } from './others.ts';
import type { BucketScenario } from './scenario.ts';

/** What must hold after every write, in the cluster and in the store. */
export class BucketInvariants implements Invariants {
  private readonly cluster: FakeCluster;
  private readonly store: GatedStore;
  private readonly scenario: BucketScenario;
  /** How much there is in each bucket of the store. */
  private contents = new Map<string, number>();
  /** By their uids: the Secrets of people who know nothing of buckets, and what has ever had a Secret of its own. */
  private readonly foreign = new Set<string>();
  private readonly supplied = new Set<string>();
  /** What happens now is our own doing. */
  private isOurs = false;

  constructor(cluster: FakeCluster, store: GatedStore, scenario: BucketScenario) {
    this.cluster = cluster;
    this.store = store;
    this.scenario = scenario;
    this.look();
  }

  beforeWrite({ outside }: PendingCall): void {
    this.isOurs = true;
    if (outside) this.look();
  }

  afterWrite(call: PendingCall): void {
    this.isOurs = false;
    if (call.outside) this.look();
  }

  beforeUserAction(): void {}

  afterChange({ type, resource, object }: ClusterChange): void {
    if (resource === resources.secret) this.checkSecret(type, object as Secret);
    if (resource === resources.bucket) this.checkBound(object as Bucket);
    if (resource === resources.bucketContent && type !== 'DELETED') this.checkCredentials(object as BucketContent);
  }

  /** What is no longer in the store, or in a bucket of it, was meant to go. */
  private look(): void {
    checkTheirs(this.store);
    const before = this.contents;
    this.contents = new Map(this.store.store.buckets.map(({ name, versions }) => [name, versions.length]));
    for (const [name, count] of before) {
      if ((this.contents.get(name) ?? -1) < count) this.checkLoss(name);
    }
  }

  private checkLoss(name: string): void {
    if (name === oldBucket) throw new Violation('data of a bucket is lost that was only lent');
    const content = this.contentOf(name);
    if (!content) throw new Violation(`bucket ${name} loses data although no content stands for it`);
    if (content.spec.releasePolicy !== 'Delete')
      throw new Violation(`bucket ${name} loses data although it is retained`);
    if (!content.metadata.deletionTimestamp)
      throw new Violation(`bucket ${name} loses data although nobody deleted it`);
    const { bucketRef } = content.spec;
    const bucket = this.cluster.read(nameOf(resources.bucket, bucketRef.namespace, bucketRef.name));
    const isInUse = bucket?.metadata.uid === bucketRef.uuid && !bucket.metadata.deletionTimestamp;
    if (isInUse) throw new Violation(`bucket ${name} loses data although its Bucket is in use`);
    if (this.scenario.follower.advised.has(bucketRef.uuid))
      throw new Violation(`bucket ${name} loses data because a message advised what leads to it`);
    const owner = bucketRef.uuid.replaceAll('-', '');
    const others = this.store.store.liveKeys.filter(({ user, policies }) => {
      return !user.endsWith(owner) && policies.some((policy) => policy.includes(`:::${name}"`));
    });
    if (others.length > 0) throw new Violation(`bucket ${name} loses data although ${others[0]?.user} uses it`);
  }

  private contentOf(bucket: string): BucketContent | undefined {
    const contents = this.cluster.all(resources.bucketContent);
    return contents.find(({ spec }) => spec.bucketIdentifier === bucket && spec.flow === 'Greenfield');
  }

  /** What somebody else made is nobody's but theirs. */
  private checkSecret(type: ClusterChange['type'], { data, metadata }: Secret): void {
    const { uid = '', name } = metadata;
    if (data?.mine !== undefined) this.foreign.add(uid);
    for (const owner of metadata.ownerReferences ?? []) this.supplied.add(owner.uid);
    const isTouched = type === 'MODIFIED' || (type === 'DELETED' && this.isOurs);
    const isSomebodys = this.foreign.has(uid);
    if (isSomebodys && isTouched && this.isOurs)
      throw new Violation(`Secret ${name} is somebody else's and was changed`);
    if (isSomebodys && type === 'DELETED' && this.scenario.follower.isAtIt)
      throw new Violation(`Secret ${name} is somebody else's, and is lost because a message advised to delete it`);
    const isCopy = type !== 'DELETED' && this.isOurs && metadata.labels?.[provisionerLabel] !== undefined;
    if (isCopy && metadata.namespace !== system && !data?.AWS_SECRET_ACCESS_KEY)
      throw new Violation(`Secret ${name} lacks its key`);
  }

  /** A workload that waits for its bucket finds the credentials when it is told that they are there. */
  private checkBound({ metadata, status }: Bucket): void {
    const isForOthers = isForTeamAlone(this.scenario.wish) && metadata.namespace === team;
    if (status?.phase === 'Bound' && isForOthers && this.scenario.successor.isStranger)
      throw new Violation(`Bucket ${metadata.name} gets what was given to an earlier namespace of that name`);
    if (status?.phase !== 'Bound' || this.supplied.has(metadata.uid ?? '')) return;
    throw new Violation(`Bucket ${metadata.name} is bound, and its Secret was never there`);
  }

  /** Whoever reads that a bucket is ready finds credentials that live. */
  private checkCredentials({ metadata, spec, status }: BucketContent): void {
    if (status?.phase !== 'Ready' || metadata.deletionTimestamp || !spec.provisioner) return;
    const { namespace, name } = spec.secretRef ?? {};
    const secret = this.cluster.read(nameOf(resources.secret, namespace, name ?? 'none'));
    // Somebody has deleted it in this moment; that brings the next message.
    if (!secret) return;
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key } = decode(secret);
    // An administrator has taken it out in this moment, which its Bucket then says.
    if (id && !key) return;
    const isAlive = this.store.store.liveKeys.some((live) => live.id === id && live.secret === key);
    if (!isAlive) throw new Violation(`BucketContent ${metadata.name} is ready, but its key does not live`);
  }
}
