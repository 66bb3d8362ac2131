import type { Cluster } from '../../kubernetes/cluster.ts';

/** A cluster in which nothing can be changed, for whoever only wants to know what would be. */
export function readOnly(cluster: Cluster): Cluster {
  const refuse = () => Promise.reject(new Error('nothing is written while one only looks'));
  return {
    name: cluster.name,
    get: (object) => cluster.get(object),
    list: (resource, namespace, age, fields) => cluster.list(resource, namespace, age, fields),
    create: refuse,
    patch: refuse,
    delete: refuse,
  };
}
