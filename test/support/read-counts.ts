import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import { objectPath } from '../../lib/kubernetes/resources.ts';

/** Counts how often one object is read in one invocation. */
export class ReadCounts {
  most = 0;

  /** The cluster as one invocation sees it. After a conflict it counts anew, since what has changed must be read again. */
  counting(cluster: Cluster): Cluster {
    const counts = new Map<string, number>();
    const startAgain = <T>(error: T) => {
      counts.clear();
      throw error;
    };
    return {
      name: cluster.name,
      get: (object) => {
        const path = objectPath(object);
        const count = (counts.get(path) ?? 0) + 1;
        counts.set(path, count);
        this.most = Math.max(this.most, count);
        return cluster.get(object);
      },
      list: (...of) => cluster.list(...of),
      create: (object, body, isDryRun) => cluster.create(object, body, isDryRun).catch(startAgain),
      patch: (object, body, options) => cluster.patch(object, body, options).catch(startAgain) as never,
      delete: (object, preconditions) => cluster.delete(object, preconditions).catch(startAgain) as never,
    };
  }
}
