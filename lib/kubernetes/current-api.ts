import type { Api } from './api.ts';
import type { Clusters } from './clusters.ts';
import { ClusterError, isClusterError } from './errors.ts';

const unauthorized = 401;

/**
 * The calls to one cluster over the connection that there is at the time, so that whoever calls for long shares it with all
 * others. Where its credentials are refused, the next call is made with new ones.
 */
export function currentApi(clusters: Clusters, name: string): Api {
  const call = async <T extends { status?: number; statusCode?: number | undefined }>(
    by: (api: Api) => Promise<T>,
  ): Promise<T> => {
    const answer = await connected(clusters, name, by);
    if ((answer.status ?? answer.statusCode) === unauthorized) clusters.forget(name);
    return answer;
  };
  return {
    send: (...given) => call((api) => api.send(...given)),
    sendForBytes: (...given) => call((api) => api.sendForBytes(...given)),
    open: (...given) => call((api) => api.open(...given)),
  };
}

/** Without credentials nothing is known about the cluster, and a moment later there may be some. */
async function connected<T>(clusters: Clusters, name: string, by: (api: Api) => Promise<T>): Promise<T> {
  try {
    return await by((await clusters.get(name)).connection);
  } catch (error) {
    if (isClusterError(error)) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new ClusterError('unreachable', `cluster ${name} cannot be accessed: ${problem}`, undefined, error);
  }
}
