import { setTimeout as pause } from 'node:timers/promises';
import { CoreV1Api, KubeConfig, makeInformer, type V1PersistentVolumeClaim } from '@kubernetes/client-node';

/** The baselines' message about a claim: like ours, it names the claim and contains nothing of it. */
export interface ClaimEvent {
  type: 'add' | 'update' | 'delete';
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
}

const path = '/api/v1/persistentvolumeclaims';
const annotation = 'transferRequest';
const pauseAfterFailureMs = 1_000;

/** Follows the offered claims with the informer of @kubernetes/client-node, as in its documentation. */
export async function followClaims(kubeconfigPath: string, onEvent: (event: ClaimEvent) => void): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const client = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, path, () => client.listPersistentVolumeClaimForAllNamespaces());
  const tell = (type: ClaimEvent['type']) => (claim: V1PersistentVolumeClaim) => {
    const { namespace = '', name = '', uid = '', resourceVersion = '', annotations } = claim.metadata ?? {};
    if (annotations?.[annotation]) onEvent({ type, namespace, name, uid, resourceVersion });
  };
  informer.on('add', tell('add'));
  informer.on('update', tell('update'));
  informer.on('delete', tell('delete'));
  // It stops at every error and has to be started again.
  informer.on('error', async (error) => {
    console.error('informer failed', error);
    await pause(pauseAfterFailureMs);
    await informer.start();
  });
  await informer.start();
}
