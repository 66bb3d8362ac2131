import type { ReachableCluster } from '../../lib/kubernetes/clusters.ts';
import { refuseSameInTags } from '../../lib/runtime/config.ts';
import { dimension, readValue } from '../../lib/runtime/config-values.ts';
import { findContexts, type Named } from '../kubeconfig/find.ts';
import { UsageError } from '../parse/usage-error.ts';

export interface Given {
  kubeconfig?: string | undefined;
  /** Without any, the current context. */
  contexts: readonly string[];
  /** What to call the cluster, if there is one. */
  cluster?: string | undefined;
}

/** The clusters that were asked for, found as kubectl finds them: in a kubeconfig, or around this Pod. */
export async function reachableClusters(
  given: Given,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ReachableCluster[]> {
  const contexts = await findContexts(given.kubeconfig, given.contexts, environment);
  refuseSame(contexts);
  const [one, other] = contexts;
  if (given.cluster !== undefined && one && other) {
    throw new UsageError('--cluster names one cluster, but there is more than one --context');
  }
  const clusters = contexts.map(({ name, context }) => {
    const called = given.cluster ?? name;
    return { name: readValue(`the name of the cluster ${called}`, dimension, called), access: context.access };
  });
  refuseSameInTags('the kubeconfig', clusters);
  return clusters;
}

/** It would wait for its own lease. */
function refuseSame(all: readonly Named[]): void {
  const [same] = [...Map.groupBy(all, ({ context }) => context.server).values()].filter(({ length }) => length > 1);
  if (same) throw new Error(`the same cluster is meant by --context ${same.map(({ name }) => name).join(' and ')}`);
}
