import type { OpenCluster } from '../lib/kubernetes/clusters.ts';
import { Connection } from '../lib/kubernetes/connection.ts';
import { RestCluster } from '../lib/kubernetes/rest-cluster.ts';
import { contextFor } from './kubeconfig/find.ts';

/** The options by which a command that looks into a cluster is told which one, and how to reach it. */
export const clusterOptions = { cluster: { type: 'string' }, context: { type: 'string' } } as const;

export const clusterUsage = `  --cluster <name>               cluster, as the deployment names it (default: the only one)
  --context <context>            kubeconfig context to read the cluster with (default: the current one)`;

interface Given {
  /** What the deployment calls it: messages and the archive name it so. */
  cluster: string;
  context?: string | undefined;
}

/**
 * Opens a cluster as whoever called the command, as kubectl would: KUBECONFIG or ~/.kube/config, with whatever program gives
 * out their credentials. The functions' own credentials are not for people.
 */
export async function openCluster({ cluster, context: wanted }: Given): Promise<OpenCluster> {
  const { context } = await contextFor({ context: wanted });
  const connection = new Connection(await context.access());
  return { cluster: new RestCluster(cluster, connection), connection };
}
