import type { Cluster } from './cluster.ts';
import { isClusterError } from './errors.ts';

/**
 * A cluster in which objects that are too large to be read appear not to exist. This is only for reporting that:
 * decisions based on it write nothing but a status.
 */
export function withoutOversized(cluster: Cluster): Cluster {
  return {
    name: cluster.name,
    get: (object) => cluster.get(object).catch(unlessOversized(undefined)) as never,
    list: (...what) => cluster.list(...what).catch(unlessOversized([])) as never,
    create: (object, body, isDryRun) => cluster.create(object, body, isDryRun),
    patch: (object, body, options) => cluster.patch(object, body, options),
    delete: (object, preconditions) => cluster.delete(object, preconditions),
  };
}

function unlessOversized<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isClusterError(error, 'oversized')) return instead;
    throw error;
  };
}
