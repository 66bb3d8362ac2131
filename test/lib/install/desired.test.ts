import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type CapabilityName, capabilityNames } from '../../../lib/capabilities/names.ts';
import { type Choices, defaultChoices } from '../../../lib/install/choices.ts';
import { desiredObjects, grantDefinition } from '../../../lib/install/desired.ts';
import type { AnyObject } from '../../../lib/install/installable.ts';
import { pathOf, titleOf } from '../../../lib/install/kinds.ts';
import { probes } from '../../../lib/install/probes.ts';

const root = new URL('../../../', import.meta.url);
const desired = (choices: Partial<Choices> = {}) => desiredObjects({ ...defaultChoices, ...choices }, '1.0.0');
const titles = (choices: Partial<Choices> = {}) => desired(choices).map(titleOf);

function inFolder(folder: string): AnyObject[] {
  const files = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((name) => inFile(`${folder}/${name}`));
}

function inFile(path: string): AnyObject[] {
  return parseAllDocuments(readFileSync(new URL(path, root), 'utf8')).map((each) => each.toJS() as AnyObject);
}

test('by default it is all that longshore run needs, with the rights of people', () => {
  const folders = ['manifests', 'manifests/crds', 'manifests/admission', 'manifests/populators', 'manifests/users'];
  const wanted = [...folders.flatMap(inFolder), ...inFile('deployment/run.yaml')].map(titleOf);
  expect(titles().toSorted()).toEqual(wanted.toSorted());
});

test('an object is that of its file, and labelled', () => {
  const [role] = inFile('deployment/run.yaml').filter(({ kind }) => kind === 'ClusterRole');
  const found = desired().find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'longshore-run');
  expect(found).toEqual({
    ...role,
    metadata: { ...role?.metadata, labels: expect.objectContaining({ 'app.kubernetes.io/version': '1.0.0' }) },
  });
});

test('what others need comes first: the namespace, kinds, roles before their bindings, policies before theirs', () => {
  const kinds = [...new Set(desired({ functionRoles: true }).map(({ kind }) => kind))];
  expect(kinds[0]).toBe('Namespace');
  const isBefore = (one: string, other: string) => kinds.indexOf(one) < kinds.indexOf(other);
  expect([
    isBefore('CustomResourceDefinition', 'VolumePopulator'),
    isBefore('ClusterRole', 'ClusterRoleBinding'),
    isBefore('Role', 'RoleBinding'),
    isBefore('ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'),
    isBefore('MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'),
    // Whoever gets the rights finds the policies there.
    isBefore('MutatingAdmissionPolicyBinding', 'ClusterRoleBinding'),
  ]).toEqual([true, true, true, true, true, true]);
});

test('the roles of the functions are those of manifests/rbac, without the one that is optional', () => {
  const added = desired({ functionRoles: true, runRole: false }).map(titleOf);
  const wanted = inFolder('manifests/rbac').map(titleOf);
  expect(wanted.filter((title) => !added.includes(title))).toEqual([
    'clusterrole/longshore-forward-secrets',
    'clusterrolebinding/longshore-forward-secrets',
  ]);
  expect(added.filter((title) => title.includes('longshore-run'))).toEqual([]);
});

describe.each<[CapabilityName, string[], string[]]>([
  ['transfers', ['longshore-offered-claims-are-safe'], ['buckets.cosi.io', 'longshore-keep-references-to-snapshots']],
  ['buckets', ['buckets.cosi.io'], ['longshore-marks-are-longshores', 'longshore-transfer']],
  ['data-sources', ['longshore-marks-are-longshores'], ['longshore-hold-accepting-claims', 'longshore-transfer']],
])('with %s alone', (capability, has, hasNot) => {
  const all = desired({ capabilities: [capability] });
  const names = all.map(({ metadata }) => metadata.name);

  test('there is what it needs, and nothing that does harm without another one', () => {
    expect(has.filter((name) => !names.includes(name))).toEqual([]);
    expect(hasNot.filter((name) => names.includes(name))).toEqual([]);
  });

  test('longshore run may do less', () => {
    const rulesOf = (objects: AnyObject[]) =>
      objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'longshore-run')?.rules;
    const writes = (objects: AnyObject[]) =>
      JSON.stringify(rulesOf(objects)).match(/"(?:create|patch|delete|write)"/g)?.length ?? 0;
    expect(writes(all)).toBeGreaterThan(0);
    expect(writes(all)).toBeLessThan(writes(desired()));
  });
});

test('no two objects are at the same place, whatever is chosen', () => {
  const paths = desired({ functionRoles: true, capabilities: capabilityNames }).map(pathOf);
  expect(new Set(paths).size).toBe(paths.length);
});

test('the definition of ReferenceGrant is never among them', () => {
  const { metadata } = grantDefinition('1.0.0');
  expect(metadata.name).toBe('referencegrants.gateway.networking.k8s.io');
  expect(titles()).not.toContain(`customresourcedefinition/${metadata.name}`);
});

test('every policy has a probe, and no probe is for a policy that there is not', () => {
  const policies = desired().filter(({ kind }) => kind.endsWith('Policy'));
  expect(probes.map(({ policy }) => policy).toSorted()).toEqual(
    policies.map(({ metadata }) => metadata.name).toSorted(),
  );
});
