import { readFile } from 'node:fs/promises';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { ClusterClient } from '../support/cluster-client.ts';

/** The kubeconfig of the control plane that the project's set-up has started. */
export function testKubeconfig(): string {
  const path = process.env.LONGSHORE_TEST_KUBECONFIG;
  if (!path) throw new Error('LONGSHORE_TEST_KUBECONFIG is not set: run this with jest\'s project "cluster"');
  return path;
}

export function testClient(): ClusterClient {
  return new ClusterClient(testKubeconfig());
}

/** Our own client, with an administrator's rights. */
export async function administrator() {
  const connection = new Connection(accessFromKubeconfig(await readFile(testKubeconfig(), 'utf8')));
  return { cluster: new RestCluster('test', connection), close: () => connection.close() };
}
