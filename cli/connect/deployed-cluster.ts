import type { OpenCluster } from '../../lib/kubernetes/clusters.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { confirmIdentity, type Meant } from './identity.ts';
import { openCluster } from './open.ts';
import type { ClusterOptions } from './options.ts';

export interface OpenDeployed extends ClusterOptions, Omit<Meant, 'deployment'> {
  /** Without one, as where only the cluster is read, there is nothing to compare it with. */
  deployment: Meant['deployment'] | undefined;
}

/**
 * Opens a cluster of a deployment as whoever called the command, as kubectl would. The functions' own credentials are not
 * for people.
 */
export async function openDeployed({ kubeconfig, context, deployment, ...meant }: OpenDeployed): Promise<OpenCluster> {
  const opened = await openCluster({ kubeconfig, context });
  const { connection } = opened;
  try {
    if (deployment) await confirmIdentity(opened, { ...meant, deployment });
  } catch (error) {
    connection.close();
    throw error;
  }
  return { cluster: new RestCluster(meant.cluster, connection), connection };
}
