import type { AnyObject } from './installable.ts';

export interface InstalledKind {
  apiVersion: string;
  kind: string;
  plural: string;
  namespaced: boolean;
}

export const systemNamespace = 'longshore-system';

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' } as const;
const admission = { apiVersion: 'admissionregistration.k8s.io/v1', namespaced: false } as const;

/**
 * The kinds of what is installed, in the order in which it is applied: what others need comes first, and what makes
 * something happen last. It is removed in the opposite order.
 */
export const installedKinds: readonly InstalledKind[] = [
  { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
  { ...rbac, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false },
  { ...rbac, kind: 'Role', plural: 'roles', namespaced: true },
  {
    apiVersion: 'populator.storage.k8s.io/v1beta1',
    kind: 'VolumePopulator',
    plural: 'volumepopulators',
    namespaced: false,
  },
  { ...admission, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
  { ...admission, kind: 'MutatingAdmissionPolicy', plural: 'mutatingadmissionpolicies' },
  { ...admission, kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' },
  { ...admission, kind: 'MutatingAdmissionPolicyBinding', plural: 'mutatingadmissionpolicybindings' },
  { ...admission, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
  { ...rbac, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', namespaced: false },
  { ...rbac, kind: 'RoleBinding', plural: 'rolebindings', namespaced: true },
];

export function kindOf({ kind }: Pick<AnyObject, 'kind'>): InstalledKind {
  const found = installedKinds.find((each) => each.kind === kind);
  if (!found) throw new Error(`objects of kind ${kind} are not installed`);
  return found;
}

/** Negative if the first is applied before the second. */
export function compareTurns(one: AnyObject, other: AnyObject): number {
  return installedKinds.indexOf(kindOf(one)) - installedKinds.indexOf(kindOf(other));
}

export function collectionPath({ apiVersion, plural }: InstalledKind, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

export function pathOf(object: AnyObject): string {
  return `${collectionPath(kindOf(object), object.metadata.namespace)}/${object.metadata.name}`;
}

/** `clusterrole/longshore-run`, or with its namespace `role/longshore-system/longshore-run`. */
export function titleOf({ kind, metadata: { name, namespace } }: AnyObject): string {
  return [kind.toLowerCase(), ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

export function groupOf({ apiVersion }: Pick<InstalledKind, 'apiVersion'>): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
