import { ClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { nameOf } from '../../lib/kubernetes/resources.ts';
import { type FakeCluster, nameOfObject } from './fake-cluster.ts';

/** What anybody can do in a cluster who looks at nothing first. A user who is refused tries no further. */
export class User {
  protected readonly cluster: FakeCluster;

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  create(object: ClusterObject): void {
    this.cluster.create(nameOfObject(object), object).catch(() => {});
  }

  delete(resource: Resource, namespace: string | undefined, name: string): void {
    const object = this.cluster.read(nameOf(resource, namespace, name));
    if (object) this.cluster.delete(nameOfObject(object)).catch(() => {});
  }

  /** Changes what is there, without preconditions. */
  change(resource: Resource, namespace: string | undefined, name: string, body: object): void {
    const object = this.cluster.read(nameOf(resource, namespace, name));
    if (!object) return;
    try {
      this.cluster.update(nameOfObject(object), body);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
    }
  }
}
