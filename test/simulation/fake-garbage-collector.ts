import type { ClusterObject, OwnerReference } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { nameOf, resourceOfKind, resources } from '../../lib/kubernetes/resources.ts';
import { type FakeCluster, nameOfObject } from './fake-cluster.ts';
import type { Random } from './random.ts';

/** Deletes what has owners, but none that still exists, one object at a time and whenever it gets to it. */
export class FakeGarbageCollector {
  private readonly cluster: FakeCluster;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** Deletes one orphan, any if chance is to pick. Answers whether there was one. */
  sync(random?: Random): boolean {
    const orphans = this.orphans();
    const orphan = random && orphans.length > 0 ? random.pick(orphans) : orphans[0];
    if (!orphan) return false;
    this.cluster.delete(nameOfObject(orphan)).catch(() => {});
    return true;
  }

  private orphans(): ClusterObject[] {
    return Object.values<Resource>(resources)
      .flatMap((resource) => this.cluster.all(resource))
      .filter(({ metadata }) => !metadata.deletionTimestamp && this.isOrphan(metadata));
  }

  private isOrphan({ namespace, ownerReferences = [] }: ClusterObject['metadata']): boolean {
    return ownerReferences.length > 0 && ownerReferences.every((owner) => this.isGone(owner, namespace));
  }

  /**
   * An owner that has a namespace is looked for in that of its dependent. What is in no namespace can have no such owner:
   * the reference cannot be resolved, and the real collector leaves alone what has one, as it does with unknown kinds.
   */
  private isGone({ apiVersion, kind, name, uid }: OwnerReference, namespace: string | undefined): boolean {
    const resource = resourceOfKind(apiVersion, kind);
    if (!resource || (resource.namespaced && namespace === undefined)) return false;
    return this.cluster.read(nameOf(resource, namespace, name))?.metadata.uid !== uid;
  }
}
