import type { Cluster } from '../../kubernetes/cluster.ts';

/** A cluster client that refuses every write, for callers that only want to know what would be written. */
export function readOnly(cluster: Cluster): Cluster {
  const refuse = () => Promise.reject(new Error('this command only reads from the cluster'));
  return {
    name: cluster.name,
    get: (object) => cluster.get(object),
    list: (resource, namespace, age, fields) => cluster.list(resource, namespace, age, fields),
    create: refuse,
    patch: refuse,
    delete: refuse,
  };
}
