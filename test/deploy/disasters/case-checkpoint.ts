import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { ClusterClient } from '../../support/cluster-client.ts';

/** As the local deployment's identity is: stage, account and region. */
const name = 'forward.longshore-local.111122223333.eu-central-1';
export const leaseOfForwarder: ClusterObject = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'longshore-system', name },
};

/** How far the forwarder has come with each kind, as it has written down. */
export async function checkpointOf(client: ClusterClient): Promise<Record<string, string>> {
  const lease = await client.get(leaseOfForwarder);
  return JSON.parse(lease?.metadata.annotations?.['longshore.dev/checkpoint'] ?? '{}');
}
