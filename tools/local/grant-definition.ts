import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { groupOf, resources } from '../../lib/kubernetes/resources.ts';
import type { ClusterClient } from './cluster-client.ts';

const { referenceGrant } = resources;
export const grantVersions = ['v1', 'v1beta1', 'v1alpha2'] as const;
export type GrantVersion = (typeof grantVersions)[number];

interface Definition extends ClusterObject {
  status?: { conditions?: { type: string; status: string }[] };
}

/** Defines the kind ReferenceGrant in this version only. */
export async function serveGrants(client: ClusterClient, version: GrantVersion): Promise<ClusterObject> {
  const definition = definitionOf(version);
  await client.create(definition);
  const isServed = ({ status }: Definition) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
  return client.until<Definition>(definition, isServed);
}

function definitionOf(version: GrantVersion): ClusterObject {
  const listOf = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    return { type: 'array', items: { type: 'object', properties } };
  };
  const properties = { from: listOf('group', 'kind', 'namespace'), to: listOf('group', 'kind', 'name') };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const { kind, plural } = referenceGrant;
  const group = groupOf(referenceGrant);
  const metadata = {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
  };
  const versions = [{ name: version, served: true, storage: true, schema }];
  const spec = { group, scope: 'Namespaced', names: { kind, plural }, versions };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec } as ClusterObject;
}
