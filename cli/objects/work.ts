import type { ClusterApi } from '../connect/cluster-api.ts';
import { openCluster } from '../connect/open.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { namespaceName } from '../parse/names.ts';
import { type User, userOfProcess } from './user.ts';

/** What every command of a namespace works with. */
export interface Work {
  api: ClusterApi;
  namespace: string;
  /** The options by which the caller named the cluster, for the lines that the caller may type next. */
  reach: readonly string[];
  user: User;
}

/** Does the work of a command in the cluster and the namespace that were named, and answers its exit code. */
export async function inCluster(
  options: ClusterOptions & NamespaceOptions,
  act: (work: Work) => Promise<number>,
): Promise<void> {
  const named = options.namespace === undefined ? undefined : namespaceName('--namespace', options.namespace);
  await using opened = await openCluster(options);
  const { api } = opened;
  const namespace = named ?? namespaceName("the context's namespace", opened.namespace);
  process.exitCode = await act({ api, namespace, reach: reachOf(options), user: userOfProcess() });
}

export function reachOf({ kubeconfig, context }: ClusterOptions): string[] {
  return [...(kubeconfig ? ['--kubeconfig', kubeconfig] : []), ...(context ? ['--context', context] : [])];
}
