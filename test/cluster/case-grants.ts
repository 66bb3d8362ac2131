import type { ReferenceGrant } from '../../lib/kubernetes/objects.ts';
import { type GrantVersion, grantVersions, serveGrants } from '../../tools/local/grant-definition.ts';
import type { Transfer } from '../support/cluster-client.ts';

export { serveGrants };

const group = 'gateway.networking.k8s.io';
export const versions = grantVersions;
export type Version = GrantVersion;

/** A grant in the source's namespace to the requests of the target's. */
export function grantFor({ source, request }: Transfer, version: Version, name?: string): ReferenceGrant {
  const from = { group: 'transfer.storage.k8s.io', kind: 'StorageTransferRequest' };
  return {
    apiVersion: `${group}/${version}`,
    kind: 'ReferenceGrant',
    metadata: { namespace: source.metadata.namespace ?? '', name: 'allow' },
    spec: {
      from: [{ ...from, namespace: request.metadata.namespace ?? '' }],
      to: [{ group: '', kind: 'PersistentVolumeClaim', ...(name ? { name } : {}) }],
    },
  };
}

/** A request that names no approval. */
export function withoutApproval(transfer: Transfer): Transfer {
  const { approvalName: _, ...spec } = transfer.request.spec;
  return { ...transfer, request: { ...transfer.request, spec: spec as typeof transfer.request.spec } };
}
