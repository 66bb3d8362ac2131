import type { Cluster } from '../../kubernetes/cluster.ts';
import type { ClusterObject } from '../../kubernetes/objects.ts';
import { nameOf, objectPath, resources } from '../../kubernetes/resources.ts';
import type { Write } from '../../reconcile/step.ts';
import type { Subject } from './subject.ts';

type RequestSubject = Extract<Subject, { type: 'request' }>;

/**
 * The Buckets as the requests that were diagnosed so far would leave them. Requests are processed in their order, so the
 * next one about the same Bucket meets this, and not what is there now.
 */
export class ForeseenBuckets {
  /** By Bucket; undefined where the Bucket would be deleted. */
  private readonly buckets = new Map<string, ClusterObject | undefined>();

  /** True if an earlier request would change the Bucket of this one. */
  differFor(subject: RequestSubject): boolean {
    return this.buckets.has(bucketKeyOf(subject));
  }

  /** The cluster with the Bucket of this request as foreseen. */
  asMetBy(subject: RequestSubject, cluster: Cluster): Cluster {
    if (!this.differFor(subject)) return cluster;
    const foreseen = this.buckets.get(bucketKeyOf(subject));
    const path = objectPath(nameOf(resources.bucket, subject.key.namespace, subject.key.name));
    return {
      ...cluster,
      get: (object) => (objectPath(object) === path ? Promise.resolve(foreseen as never) : cluster.get(object)),
    };
  }

  /** The request would make this write. */
  note(subject: RequestSubject, write: Write, now: Date): void {
    if (write.object.resource.kind !== resources.bucket.kind) return;
    this.buckets.set(bucketKeyOf(subject), write.verb === 'create' ? asCreated(write.body, now) : undefined);
  }
}

/** The same for all requests about one Bucket. */
export function bucketKeyOf({ cluster, key }: RequestSubject): string {
  return JSON.stringify([cluster, key.namespace, key.name]);
}

/** With what the server adds, and steps rely on. */
function asCreated(body: ClusterObject, now: Date): ClusterObject {
  const added = { uid: 'foreseen', resourceVersion: '0', creationTimestamp: now.toISOString() };
  return { ...body, metadata: { ...body.metadata, ...added } };
}
