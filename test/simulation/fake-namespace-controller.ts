import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { type FakeCluster, nameOfObject } from './fake-cluster.ts';

/**
 * Empties the namespaces that have been deleted, and lets one go when nothing is left in it: what is held by a finalizer
 * holds its namespace.
 */
export class FakeNamespaceController {
  private readonly cluster: FakeCluster;
  private readonly beforeDeletion: (object: ClusterObject) => void;

  constructor(cluster: FakeCluster, beforeDeletion: (object: ClusterObject) => void = () => {}) {
    this.cluster = cluster;
    this.beforeDeletion = beforeDeletion;
  }

  sync(): void {
    for (const { metadata } of this.cluster.namespaces.all()) {
      if (metadata.deletionTimestamp) this.empty(metadata.name);
    }
  }

  private empty(namespace: string): void {
    const kinds = Object.values<Resource>(resources).filter(({ namespaced }) => namespaced);
    for (const object of kinds.flatMap((resource) => this.cluster.all(resource, namespace))) {
      if (object.metadata.deletionTimestamp) continue;
      this.beforeDeletion(object);
      this.cluster.delete(nameOfObject(object)).catch(() => {});
    }
    const isEmpty = kinds.every((resource) => this.cluster.all(resource, namespace).length === 0);
    if (isEmpty) this.cluster.namespaces.remove(namespace);
  }
}
