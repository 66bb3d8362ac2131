import { afterAll, beforeAll } from '@jest/globals';
import { startControlPlane } from '../../tools/control-plane/control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from '../../tools/control-plane/control-plane-options.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { applyAll, type Webhook } from '../support/webhook.ts';

/** A control plane for the tests of one file: what holds in a whole cluster would disturb those of the others. */
export function ownControlPlane(options: ControlPlaneOptions = {}) {
  let started: ControlPlane | undefined;
  let webhook: Webhook | undefined;
  const controlPlane = () => {
    if (!started) throw new Error('the control plane has not started');
    return started;
  };
  beforeAll(async () => {
    started = await startControlPlane(options);
    webhook = await applyAll(started.kubeconfigPath);
  });
  afterAll(async () => {
    await started?.stop();
    await webhook?.stop();
  });
  return {
    kubeconfig: () => controlPlane().kubeconfigPath,
    client: () => new ClusterClient(controlPlane().kubeconfigPath),
  };
}
