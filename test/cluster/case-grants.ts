import type { ClusterObject, ReferenceGrant } from '../../lib/cluster/objects.ts';
import type { ClusterClient, Transfer } from '../support/cluster-client.ts';

const group = 'gateway.networking.k8s.io';
export const versions = ['v1', 'v1beta1', 'v1alpha2'] as const;
export type Version = (typeof versions)[number];

/** The kind ReferenceGrant, as a cluster serves it that has it in this version only. */
export async function serveGrants(client: ClusterClient, version: Version): Promise<ClusterObject> {
  const listOf = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    return { type: 'array', items: { type: 'object', properties } };
  };
  const properties = { from: listOf('group', 'kind', 'namespace'), to: listOf('group', 'kind', 'name') };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `referencegrants.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { kind: 'ReferenceGrant', plural: 'referencegrants' },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
  await client.create(definition);
  const isServed = ({ status }: typeof definition & { status?: { conditions?: { type: string; status: string }[] } }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
  return client.until(definition, isServed);
}

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
