import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { type Declaration, objects, statusOf } from '../../../lib/reconcile/declaration.ts';
import { roleManifest, settingsManifest } from '../../../tools/generate/rbac.ts';

const declaration: Declaration = {
  name: 'count-toys',
  purpose: 'count.',
  key: 'a claim',
  does: 'Counts.',
  permissions: [
    { verbs: ['get'], on: [objects(resources.claim), statusOf(resources.claim)], why: 'They are counted.' },
  ],
};
const documentsOf = (text: string) => parseAllDocuments(text).map((document) => document.toJS());

test('the manifest of a function is its account, its role with the reasons for it, and their binding', () => {
  const text = roleManifest(declaration);
  expect(text).toContain(`rules:
  # They are counted.
  - { apiGroups: [""], resources: [persistentvolumeclaims, persistentvolumeclaims/status], verbs: [get] }
---`);
  expect(documentsOf(text)).toEqual([
    expect.objectContaining({ kind: 'ServiceAccount', automountServiceAccountToken: false }),
    expect.objectContaining({ kind: 'ClusterRole', metadata: { name: 'longshore-count-toys' } }),
    expect.objectContaining({
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'longshore-count-toys' },
      subjects: [{ kind: 'ServiceAccount', name: 'count-toys', namespace: 'longshore-system' }],
    }),
  ]);
});

test("what a function may do in Longshore's namespace alone is a Role there", () => {
  const permissions = [{ verbs: ['get' as const], on: [objects(resources.configMap)], names: ['counts'] }];
  const [, , , role, binding] = documentsOf(
    roleManifest({ ...declaration, ownPermissions: { why: 'The sums.', permissions } }),
  );
  expect(role).toMatchObject({ kind: 'Role', metadata: { namespace: 'longshore-system' } });
  expect(role.rules).toEqual([
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['counts'], verbs: ['get'] },
  ]);
  expect(binding).toMatchObject({ kind: 'RoleBinding', roleRef: { kind: 'Role' } });
});

test('kinds of two groups are not one permission, as each would be allowed in both', () => {
  const permissions = [{ verbs: ['get' as const], on: [objects(resources.claim), objects(resources.bucket)] }];
  expect(() => roleManifest({ ...declaration, permissions })).toThrow('not of "" and cosi.io');
});

test('whoever reads the settings is bound to their role, and nobody else', () => {
  const [, binding] = documentsOf(
    settingsManifest([declaration, { ...declaration, name: 'other', readsSettings: true }]),
  );
  expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'other', namespace: 'longshore-system' }]);
});
