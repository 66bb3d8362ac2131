import type { Cluster } from './cluster.ts';
import { isClusterError } from './errors.ts';

/**
 * A cluster in which there seems to be nothing of what is too large to be read. That is only for saying so: what is decided
 * upon it writes nothing but a status.
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
