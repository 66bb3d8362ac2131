import { ClusterError } from '../../lib/cluster/errors.ts';
import type { ObjectName, Resource } from '../../lib/cluster/resources.ts';

/** Which namespaces there are, and how many objects of a kind each may have. */
export class Namespaces {
  private readonly quotas = new Map<string, Map<Resource, number>>();

  add(...names: string[]): void {
    for (const name of names) if (!this.quotas.has(name)) this.quotas.set(name, new Map());
  }

  /** How many objects of a kind a namespace may have from now on; what is there stays. Without a number, any number. */
  limit(namespace: string, resource: Resource, most: number | undefined): void {
    this.add(namespace);
    if (most === undefined) this.quotas.get(namespace)?.delete(resource);
    else this.quotas.get(namespace)?.set(resource, most);
  }

  /** Refuses to create what has no namespace to be in, or one that is full. */
  admit({ resource, namespace = '', name }: ObjectName, present: () => number): void {
    if (!resource.namespaced) return;
    const quota = this.quotas.get(namespace);
    if (!quota) throw new ClusterError('rejected', `namespaces "${namespace}" not found`, 404);
    const most = quota.get(resource);
    if (most === undefined || present() < most) return;
    throw new ClusterError(
      'rejected',
      `${resource.plural} "${name}" is forbidden: exceeded quota: ${resource.plural}`,
      403,
    );
  }
}
