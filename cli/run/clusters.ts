import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ReachableCluster } from '../../lib/kubernetes/clusters.ts';
import { refuseSameInTags } from '../../lib/runtime/config.ts';
import { dimension, readValue } from '../../lib/runtime/config-values.ts';
import { type Context, contextOf } from '../kubeconfig/context.ts';
import { inCluster } from '../kubeconfig/in-cluster.ts';
import { readKubeconfigs } from '../kubeconfig/kubeconfig.ts';
import { UsageError } from '../usage-error.ts';

export interface Given {
  kubeconfig?: string | undefined;
  /** Without any, the current context. */
  contexts: readonly string[];
  /** What to call the cluster, if there is one. */
  cluster?: string | undefined;
}

const nameInCluster = 'in-cluster';

/** The clusters that were asked for, found as kubectl finds them: in a kubeconfig, or around this Pod. */
export async function reachableClusters(
  given: Given,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ReachableCluster[]> {
  const contexts = await contextsOf(given, environment);
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

interface Named {
  name: string;
  context: Context;
}

async function contextsOf({ kubeconfig, contexts }: Given, environment: NodeJS.ProcessEnv): Promise<Named[]> {
  const paths = pathsOf(kubeconfig, environment);
  if (paths.length === 0) return [aroundThisPod(contexts, environment)];
  const config = await readKubeconfigs(paths);
  const { currentContext } = config;
  if (contexts.length === 0 && currentContext === undefined) {
    const names = [...config.contexts.keys()].join(', ') || 'none';
    throw new Error(`the kubeconfig has no current-context: use --context with one of its contexts (${names})`);
  }
  const names = contexts.length > 0 ? contexts : [currentContext ?? ''];
  const all = names.map((name) => ({ name, context: contextOf(config, name) }));
  refuseSame(all);
  return all;
}

function aroundThisPod(contexts: readonly string[], environment: NodeJS.ProcessEnv): Named {
  if (contexts.length > 0) throw new Error(`there is no kubeconfig with a context ${contexts[0]}: set KUBECONFIG`);
  const context = inCluster(environment);
  if (context) return { name: nameInCluster, context };
  throw new Error('no cluster to run for: use --kubeconfig, set KUBECONFIG, or run in a Pod with a service account');
}

/** Of the files in KUBECONFIG those count that exist, as for kubectl. */
function pathsOf(kubeconfig: string | undefined, { KUBECONFIG = '' }: NodeJS.ProcessEnv): string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const listed = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  if (listed.length === 0) return [join(homedir(), '.kube', 'config')].filter(existsSync);
  const found = listed.filter(existsSync);
  if (found.length > 0) return found;
  throw new Error(`KUBECONFIG names no file that exists: ${listed.join(', ')}`);
}

/** It would wait for its own lease. */
function refuseSame(all: readonly Named[]): void {
  const [same] = [...Map.groupBy(all, ({ context }) => context.server).values()].filter(({ length }) => length > 1);
  if (same) throw new Error(`the same cluster is meant by --context ${same.map(({ name }) => name).join(' and ')}`);
}
