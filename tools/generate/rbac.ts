import type { Declaration, Permission } from '../../lib/reconcile/declaration.ts';
import { comment } from './comment.ts';

/** The manifests of manifests/rbac that are generated from the functions' declarations. */

const namespace = 'longshore-system';
const widest = 120;
const origin = '# Written by `npm run generate` from the declaration of the function.';

/** The service account of a function, and its permissions. */
export function roleManifest({ name, purpose, permissions, ownPermissions }: Declaration): string {
  const documents = [
    `${comment(`What functions/${name} may do: ${purpose}`, '# ')}\n${origin}\n${account(name)}`,
    ...roleAndBinding('ClusterRole', name, permissions),
    ...(ownPermissions
      ? withComment(ownPermissions.why, roleAndBinding('Role', name, ownPermissions.permissions))
      : []),
  ];
  return `${documents.join('\n---\n')}\n`;
}

function withComment(why: string, [first = '', ...others]: string[]): string[] {
  return [`${comment(why, '# ')}\n${first}`, ...others];
}

export function account(name: string): string {
  return `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${namespace}
automountServiceAccountToken: false`;
}

export function roleAndBinding(
  kind: 'ClusterRole' | 'Role',
  name: string,
  permissions: readonly Permission[],
): string[] {
  const metadata = `metadata:
  name: longshore-${name}${kind === 'Role' ? `\n  namespace: ${namespace}` : ''}`;
  const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
${metadata}
rules:
${permissions.map(rule).join('\n')}`;
  const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
${metadata}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${kind}
  name: longshore-${name}
subjects:
  - kind: ServiceAccount
    name: ${name}
    namespace: ${namespace}`;
  return [role, binding];
}

function rule({ verbs, on, names, why }: Permission): string {
  const groups = [...new Set(on.map(({ group }) => group || '""'))];
  if (groups.length !== 1) throw new Error(`one permission is on kinds of one group, not of ${groups.join(' and ')}`);
  const parts = [
    `apiGroups: [${groups}]`,
    `resources: [${on.map(({ plural }) => plural).join(', ')}]`,
    ...(names ? [`resourceNames: [${names.join(', ')}]`] : []),
    `verbs: [${verbs.join(', ')}]`,
  ];
  const line = `  - { ${parts.join(', ')} }`;
  const text = line.length <= widest ? line : `  - ${parts.join('\n    ')}`;
  return why ? `${comment(why, '  # ')}\n${text}` : text;
}

/** The role for reading the ConfigMap of the switch, bound to its readers. */
export function settingsManifest(declarations: readonly Declaration[]): string {
  const readers = declarations.filter(({ readsSettings }) => readsSettings);
  const subjects = readers.map(({ name }) => `  - { kind: ServiceAccount, name: ${name}, namespace: ${namespace} }`);
  return `# The one object by which an administrator sets what holds in the whole cluster (docs/configuration.md), and who reads it.
# It need not exist: without it everything is on.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: longshore-settings
  namespace: ${namespace}
rules:
  - { apiGroups: [""], resources: [configmaps], resourceNames: [longshore], verbs: [get] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: longshore-settings
  namespace: ${namespace}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: longshore-settings
subjects:
${subjects.join('\n')}
`;
}
