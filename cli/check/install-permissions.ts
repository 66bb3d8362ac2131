import type { ClusterApi } from '../connect/cluster-api.ts';
import { type Finding, ok, problem } from './finding.ts';
import { deniedOf } from './permissions.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';
const created: readonly (readonly [group: string, resource: string])[] = [
  ['', 'namespaces'],
  ['', 'serviceaccounts'],
  ['apiextensions.k8s.io', 'customresourcedefinitions'],
  [rbac, 'clusterroles'],
  [rbac, 'clusterrolebindings'],
  [rbac, 'roles'],
  [rbac, 'rolebindings'],
  [admission, 'validatingadmissionpolicies'],
  [admission, 'validatingadmissionpolicybindings'],
  [admission, 'mutatingwebhookconfigurations'],
];

/** Whether the caller may apply the manifests. Roles also need all permissions that they give, or `escalate` and `bind`. */
export async function checkInstallPermissions(api: ClusterApi): Promise<Finding[]> {
  const verbs = ['get', 'create', 'patch'];
  const permissions = created.flatMap(([group, resource]) => verbs.map((verb) => ({ verb, group, resource })));
  const missing = (await deniedOf(api, permissions)) ?? [];
  if (missing.length === 0) return [ok('installing', 'you may create everything')];
  const names = [...new Set(missing.map(({ group, resource }) => (group ? `${resource}.${group}` : resource)))];
  return [problem('installing', `you may not create or change ${names.join(', ')}: ask a cluster administrator`)];
}
