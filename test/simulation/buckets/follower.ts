import { contentNameOf } from '../../../lib/capabilities/buckets/names.ts';
import type { Bucket, BucketContent } from '../../../lib/capabilities/buckets/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import type { User } from '../user.ts';
import type { GatedStore } from './gated-store.ts';

/** Somebody who reads what is said of Buckets and contents, and does what it advises, to the letter. */
export class Follower {
  /** The uids of the Buckets that are given up, or whose data goes, because a message said so. */
  readonly advised = new Set<string>();
  isAtIt = false;
  private readonly cluster: FakeCluster;
  private readonly store: GatedStore;
  private readonly user: User;

  constructor(cluster: FakeCluster, store: GatedStore, user: User) {
    this.cluster = cluster;
    this.store = store;
    this.user = user;
  }

  act(): void {
    this.isAtIt = true;
    for (const bucket of this.cluster.all(resources.bucket)) {
      for (const { message } of bucket.status?.conditions ?? []) this.follow(message, bucket);
    }
    for (const content of this.cluster.all(resources.bucketContent)) {
      const { namespace, name } = content.spec.bucketRef;
      const bucket = this.cluster.read(nameOf(resources.bucket, namespace, name));
      const { message = '', conditions = [] } = content.status ?? {};
      for (const said of new Set([message, ...conditions.map((each) => each.message)]))
        this.follow(said, bucket, content);
    }
    this.isAtIt = false;
  }

  private follow(message: string, bucket: Bucket | undefined, content = this.contentOf(bucket)): void {
    if (/\bdelete (this|the) Bucket\b/i.test(message) && bucket) this.give(bucket);
    const [, named] = /\bkubectl delete bucketcontents? (\S+)/.exec(message) ?? [];
    if (named) this.end(named);
    const [, secret] = /\bSecret (\S+) exists .*: delete it\b/.exec(message) ?? [];
    const [name = '', namespace = bucket?.metadata.namespace] = (secret ?? '').split('/').reverse();
    if (name) this.user.delete(resources.secret, namespace, name);
    if (/\bempty (it|the bucket)\b/i.test(message) && content) this.empty(content);
  }

  private give({ metadata }: Bucket): void {
    if (metadata.deletionTimestamp) return;
    this.advised.add(metadata.uid ?? '');
    this.user.delete(resources.bucket, metadata.namespace, metadata.name);
  }

  private end(name: string): void {
    const content = this.cluster.read(nameOf(resources.bucketContent, undefined, name));
    if (!content || content.metadata.deletionTimestamp) return;
    this.advised.add(content.spec.bucketRef.uuid);
    this.user.delete(resources.bucketContent, undefined, name);
  }

  private empty({ spec }: BucketContent): void {
    this.advised.add(spec.bucketRef.uuid);
    this.store.store.bucket(spec.bucketIdentifier ?? '')?.versions.splice(0);
  }

  private contentOf(bucket: Bucket | undefined): BucketContent | undefined {
    return bucket && this.cluster.read(nameOf(resources.bucketContent, undefined, contentNameOf(bucket)));
  }
}
