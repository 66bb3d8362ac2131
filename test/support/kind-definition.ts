interface DefinedKind {
  group: string;
  version: string;
  kind: string;
  scope: 'Cluster' | 'Namespaced';
  /** Its fields, as the properties of a schema. */
  properties: object;
}

/** A kind of somebody else's, as a cluster serves it that has it. */
export function definition({ group, version, kind, scope, properties }: DefinedKind) {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, for tests' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations },
    spec: {
      ...{ group, scope, names: { kind, plural } },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
    status: undefined as { conditions?: { type: string }[] } | undefined,
  };
}
