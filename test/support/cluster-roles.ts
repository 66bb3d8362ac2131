import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** One verb on one resource, as a file in manifests/rbac allows it to a function. */
export interface Permission {
  verb: string;
  group: string;
  /** With its subresource, such as `buckets/status`. */
  resource: string;
  /** Undefined where it holds in the whole cluster. */
  namespace: string | undefined;
  /** The objects that it is about; all, where there are none. */
  names: readonly string[];
}

interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }[];
  roleRef?: { kind: string; name: string };
  subjects?: { name: string }[];
}

const folder = new URL('../../manifests/rbac/', import.meta.url);

/** What each function may do in a cluster, by its service account. */
export function clusterPermissions(): ReadonlyMap<string, readonly Permission[]> {
  const manifests = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  });
  const permissions = new Map<string, Permission[]>();
  for (const { roleRef, subjects = [] } of manifests) {
    const role = manifests.find(({ kind, metadata }) => kind === roleRef?.kind && metadata.name === roleRef.name);
    if (!role) continue;
    for (const { name } of subjects) permissions.set(name, [...(permissions.get(name) ?? []), ...permissionsIn(role)]);
  }
  return permissions;
}

function permissionsIn({ metadata, rules = [] }: Manifest): Permission[] {
  const { namespace } = metadata;
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames: names = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => ({ verb, group, resource, namespace, names }))),
    ),
  );
}
