import type { Cluster } from '../../lib/kubernetes/cluster.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';

/** Where a history runs: on the fake cluster or on a real one. */
export interface Stage {
  cluster: Cluster;
  namespace: string;
  /** Answers what is seen, as the step at this position, once the controllers have done what they do. */
  settled: (see: () => Promise<string>, position: number) => Promise<string>;
}

export interface History {
  name: string;
  /** What was seen, step by step. */
  run: (stage: Stage) => Promise<string[]>;
}

export async function present(cluster: Cluster, name: Parameters<Cluster['get']>[0]): Promise<ClusterObject> {
  const found = await cluster.get(name);
  if (!found) throw new Error(`${name.name} is not there`);
  return found;
}

export async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (isClusterError(error)) return error.class;
    throw error;
  }
}

export function annotated(annotation: string, value: string | null): object {
  return { metadata: { annotations: { [annotation]: value } } };
}
