import type { Deployment } from '../../lib/recovery/deployment/deployment.ts';
import { openDeployed } from '../connect/deployed-cluster.ts';
import type { Selected } from './options.ts';
import type { Open } from './readable-clusters.ts';

/** Opens clusters of a deployment, each only if it is the one that the deployment calls so. */
export function openerFor(
  deployment: Deployment,
  { kubeconfig, assumed }: Pick<Selected, 'kubeconfig' | 'assumed'>,
): Open {
  return ({ cluster, context }) => {
    const contextOption = `--context ${cluster}=<context>`;
    return openDeployed({ cluster, context, kubeconfig, deployment, assumed, contextOption });
  };
}
