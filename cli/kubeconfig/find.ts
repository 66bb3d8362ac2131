import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Context, contextOf } from './context.ts';
import { inCluster } from './in-cluster.ts';
import { readKubeconfigs } from './read-kubeconfigs.ts';

export interface Named {
  name: string;
  context: Context;
}

const nameInCluster = 'in-cluster';

interface Wanted {
  kubeconfig?: string | undefined;
  /** Without one, the current context. */
  context?: string | undefined;
}

/** One context. */
export async function contextFor({ kubeconfig, context }: Wanted): Promise<Named> {
  const [found] = await findContexts(kubeconfig, context === undefined ? [] : [context]);
  if (!found) throw new Error('no context was found');
  return found;
}

/** The contexts that were asked for, found as kubectl finds them: in a kubeconfig, or around this Pod. */
export async function findContexts(
  kubeconfig: string | undefined,
  wanted: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Named[]> {
  const paths = pathsOf(kubeconfig, environment);
  if (paths.length === 0) return [aroundThisPod(wanted, environment)];
  const config = await readKubeconfigs(paths);
  const { currentContext } = config;
  if (wanted.length === 0 && currentContext === undefined) {
    const names = [...config.contexts.keys()].join(', ') || 'none';
    throw new Error(`the kubeconfig has no current-context: use --context with one of its contexts (${names})`);
  }
  const names = wanted.length > 0 ? wanted : [currentContext ?? ''];
  return names.map((name) => ({ name, context: contextOf(config, name) }));
}

/** The names of all contexts; none where there is no kubeconfig. */
export async function contextNames(
  kubeconfig: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string[]> {
  return [...(await readKubeconfigs(pathsOf(kubeconfig, environment))).contexts.keys()];
}

function aroundThisPod(wanted: readonly string[], environment: NodeJS.ProcessEnv): Named {
  if (wanted.length > 0) throw new Error(`there is no kubeconfig with a context ${wanted[0]}: set KUBECONFIG`);
  const context = inCluster(environment);
  if (context) return { name: nameInCluster, context };
  throw new Error('no cluster is known: use --kubeconfig, set KUBECONFIG, or run in a Pod with a service account');
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
