import { readFile } from 'node:fs/promises';
import { VersionApi } from '@kubernetes/client-node';
import { PatientKubeConfig } from '../local/patient-kubeconfig.ts';
import type { ControlPlane } from './control-plane-options.ts';

/** A cluster that others operate: it is used as it is, and nothing is started or stopped. */
export async function externalControlPlane(kubeconfigPath: string): Promise<ControlPlane> {
  await readFile(kubeconfigPath, 'utf8').catch(() => {
    throw new Error(`LONGSHORE_KUBECONFIG names ${kubeconfigPath}, which cannot be read`);
  });
  const config = PatientKubeConfig.fromFile(kubeconfigPath);
  const server = config.getCurrentCluster()?.server;
  if (!server) throw new Error(`LONGSHORE_KUBECONFIG names ${kubeconfigPath}, whose current context has no cluster`);
  const { gitVersion: version } = await config.makeApiClient(VersionApi).getCode();
  const refuse = () => Promise.reject(new Error('the API server of a cluster that was given is not restarted'));
  const refused = { restartApiServer: refuse, backUp: refuse, restore: refuse };
  return { server, version, kubeconfigPath, managed: false, ...refused, stop: () => Promise.resolve() };
}
