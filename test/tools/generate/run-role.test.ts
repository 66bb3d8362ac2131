import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { forwardedFunctions } from '../../../lib/capabilities/all-capabilities.ts';
import { declarations } from '../../../lib/compose/declarations.ts';
import type { Permission } from '../../../lib/reconcile/declaration.ts';
import { runManifest } from '../../../tools/generate/run-role.ts';

interface Document {
  kind: string;
  rules?: { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] }[];
}

const documents = parseAllDocuments(runManifest(declarations)).map((each) => each.toJS() as Document);

function allowed(kind: string): string[] {
  const rules = documents.filter((each) => each.kind === kind).flatMap((each) => each.rules ?? []);
  return rules.flatMap(({ apiGroups, resources, resourceNames = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((plural) => verbs.map((verb) => said(verb, group, plural, resourceNames))),
    ),
  );
}

function said(verb: string, group: string, plural: string, names: readonly string[] = []): string {
  return `${verb} ${group} ${plural} ${names.join(',')}`;
}

const flat = (permissions: readonly Permission[]) =>
  permissions.flatMap(({ verbs, on, names }) =>
    on.flatMap(({ group, plural }) => verbs.map((verb) => said(verb, group, plural, names))),
  );
const sorted = (all: readonly string[]) => [...new Set(all)].sort();
const parts = declarations.filter(({ name }) => name === 'forward' || forwardedFunctions.has(name));

test('the role is what forwarder and steps may do, each permission once and nothing besides', () => {
  const everywhere = allowed('ClusterRole');
  expect(everywhere.length).toBeGreaterThan(40);
  expect(everywhere.sort()).toEqual(sorted(parts.flatMap(({ permissions }) => flat(permissions))));
  const own = parts.flatMap(({ ownPermissions }) => flat(ownPermissions?.permissions ?? []));
  expect(allowed('Role').sort()).toEqual(sorted([...own, said('get', '', 'configmaps', ['longshore'])]));
});

test('it is for an account of its own', () => {
  expect(documents.map(({ kind }) => kind)).toEqual([
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
  ]);
});
