import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import { preconditionsOf } from '../../lib/reconcile/step.ts';

/** A client whose writes succeed whatever has become of the object meanwhile. */
export function ignoringPreconditions(cluster: Cluster): Cluster {
  const present = async (object: Parameters<Cluster['get']>[0]) => {
    const found = await cluster.get(object);
    return found ? preconditionsOf(found) : { uid: '', resourceVersion: '' };
  };
  return {
    name: cluster.name,
    get: (object) => cluster.get(object),
    list: (resource, namespace, age) => cluster.list(resource, namespace, age),
    create: (object, body, isDryRun) => cluster.create(object, body, isDryRun),
    patch: async (object, body, options) =>
      cluster.patch(object, body, { ...options, preconditions: await present(object) }),
    delete: async (object) => cluster.delete(object, await present(object)),
  };
}
