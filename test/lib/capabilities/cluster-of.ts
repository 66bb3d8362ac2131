import { select } from '../../../lib/json/selection.ts';
import type { Cluster, Keep } from '../../../lib/kubernetes/cluster.ts';
import { listedFieldsOf } from '../../../lib/kubernetes/listed-fields.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { type ObjectName, objectPath, resourceOfKind, resources } from '../../../lib/kubernetes/resources.ts';
import { namespace } from '../../support/builders.ts';

/** A cluster that can only be read, and remembers what was asked of it. It has every namespace. */
export function clusterOf(...objects: ClusterObject[]): Cluster & { readonly asked: string[] } {
  const asked: string[] = [];
  const get = async <T extends ClusterObject>(name: ObjectName<T>): Promise<T | undefined> => {
    asked.push(objectPath(name));
    const found = objects.find((object) => pathOf(object) === objectPath(name));
    return (found ?? (name.resource === resources.namespace ? namespace(name.name) : undefined)) as T | undefined;
  };
  const list: Cluster['list'] = async <T extends ClusterObject>(
    resource: Resource<T>,
    namespace: string | undefined,
    _age: unknown,
    _fields: unknown,
    keep: Keep<T> = () => true,
  ): Promise<T[]> => {
    const { kind } = resource;
    asked.push(`${kind} in ${namespace}`);
    const found = objects.filter((object) => object.kind === kind && object.metadata.namespace === namespace);
    return found.map((object) => select(object, listedFieldsOf(resource)) as T).filter(keep);
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
