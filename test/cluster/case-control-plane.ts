import { afterAll, beforeAll } from '@jest/globals';
import { ClusterClient } from '../support/cluster-client.ts';
import { borrow, type LentData, lendings } from '../support/lending.ts';
import { type PreparedControlPlane, type PreparedOptions, startPrepared } from '../support/prepared-control-plane.ts';

/** For who starts and stops other things before and after it. */
export async function startOwn(options: PreparedOptions = {}): Promise<PreparedControlPlane> {
  return startPrepared({ ...options, ...(await borrow<LentData>(lendings.preparedData, options.with ?? 'plain')) });
}

/** A control plane for the tests of one file: what holds in a whole cluster would disturb those of the others. */
export function ownControlPlane(options: PreparedOptions = {}) {
  let started: PreparedControlPlane | undefined;
  const kubeconfig = () => {
    if (!started) throw new Error('the control plane has not started');
    return started.plane.kubeconfigPath;
  };
  beforeAll(async () => {
    started = await startOwn(options);
  });
  afterAll(() => started?.stop());
  return { kubeconfig, client: () => new ClusterClient(kubeconfig()) };
}
