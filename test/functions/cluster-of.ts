import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { ClusterObject } from '../../lib/cluster/objects.ts';
import { type ObjectName, objectPath, type Resource, resourceOfKind } from '../../lib/cluster/resources.ts';

/** A cluster that can only be read, and remembers what was asked of it. */
export function clusterOf(...objects: ClusterObject[]): Cluster & { readonly asked: string[] } {
  const asked: string[] = [];
  const get = async <T extends ClusterObject>(name: ObjectName): Promise<T | undefined> => {
    asked.push(objectPath(name));
    return objects.find((object) => pathOf(object) === objectPath(name)) as T | undefined;
  };
  const list = async <T extends ClusterObject>({ kind }: Resource, namespace: string): Promise<T[]> => {
    asked.push(`${kind} in ${namespace}`);
    return objects.filter((object) => object.kind === kind && object.metadata.namespace === namespace) as T[];
  };
  const refuse = () => Promise.reject(new Error('a read must not write'));
  return { name: 'test', asked, get, list, create: refuse, patch: refuse, delete: refuse };
}

function pathOf({ apiVersion, kind, metadata }: ClusterObject): string | undefined {
  const resource = resourceOfKind(apiVersion, kind);
  return (
    resource &&
    objectPath({
      resource,
      ...(resource.namespaced ? { namespace: metadata.namespace ?? '' } : {}),
      name: metadata.name,
    })
  );
}
