import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAllYaml } from '@kubernetes/client-node';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';

const folder = fileURLToPath(new URL('../../manifests/rbac', import.meta.url));
const namespace = 'longshore-system';
const apiGroup = 'rbac.authorization.k8s.io';
const pollMs = 50;

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

interface Role {
  kind: 'ClusterRole' | 'Role';
  apiVersion: string;
  metadata: { name: string; namespace?: string };
  rules: Rule[];
}

interface Binding {
  kind: 'ClusterRoleBinding' | 'RoleBinding';
  roleRef: { kind: string; name: string };
  subjects: { name: string }[];
}

/** One verb on one resource, as one rule of one role allows it to one function. */
export interface Permission {
  readonly function: string;
  readonly verb: string;
  readonly resource: string;
  readonly group: string;
  /** Such as `patch persistentvolumes`. */
  readonly name: string;
  /** The service account that may do everything else that the function may. */
  readonly account: string;
  readonly role: Role;
  readonly rule: Rule;
}

const manifests = readdirSync(folder).flatMap((file) => loadAllYaml(readFileSync(`${folder}/${file}`, 'utf8')));
const roles = manifests.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role').map(withSingleRules);
const bindings = manifests.filter(({ kind }) => kind.endsWith('RoleBinding')) as Binding[];

/** A role, with a rule of its own for each verb on each resource. */
function withSingleRules(role: Role): Role {
  const rules = role.rules.flatMap(({ apiGroups, resources, verbs, ...names }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...names })),
      ),
    ),
  );
  return { ...role, rules };
}

function rolesOf(functionName: string): Role[] {
  return bindings
    .filter(({ subjects }) => subjects.some(({ name }) => name === functionName))
    .flatMap(({ roleRef }) =>
      roles.filter(({ kind, metadata }) => kind === roleRef.kind && metadata.name === roleRef.name),
    );
}

export const functions = [...new Set(bindings.flatMap(({ subjects }) => subjects.map(({ name }) => name)))];

/** Everything that manifests/rbac allows to anybody. */
export const permissions: Permission[] = functions.flatMap((functionName) =>
  rolesOf(functionName)
    .flatMap((role) => role.rules.map((rule) => ({ role, rule })))
    .map(({ role, rule }, index) => {
      const [verb = '', resource = '', group = ''] = [...rule.verbs, ...rule.resources, ...rule.apiGroups];
      const account = `${functionName}-without-${index}`;
      return { function: functionName, verb, resource, group, name: `${verb} ${resource}`, account, role, rule };
    }),
);

export function refusalOf({ account, verb, resource, group }: Permission): string {
  const user = `User "system:serviceaccount:${namespace}:${account}"`;
  return `${user} cannot ${verb} resource "${resource}" in API group "${group}"`;
}

/** Makes the account that lacks this permission alone, and waits until it may do everything else. */
export async function makeAccount(client: ClusterClient, permission: Permission): Promise<string> {
  const { account, function: functionName, rule } = permission;
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: account } });
  for (const { metadata, ...role } of rolesOf(functionName)) {
    const name = `${metadata.name}-of-${account}`;
    const rules = role.rules.filter((each) => each !== rule);
    await client.create({ ...role, metadata: { ...metadata, name }, rules });
    const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
    const roleRef = { apiGroup, kind: role.kind, name };
    await client.create({ ...role, kind: `${role.kind}Binding`, metadata: { ...metadata, name }, roleRef, subjects });
    // The authorizer takes up a role and its binding a moment after they are made, each as a whole.
    if (rules[0]) await untilAllowed(client, account, rules[0]);
  }
  return account;
}

export async function untilAllowed(client: ClusterClient, account: string, rule: Rule): Promise<void> {
  await until(`${account} may do what it is to do`, () => isAllowed(client, account, rule), { pollMs });
}

async function isAllowed(client: ClusterClient, account: string, rule: Rule): Promise<boolean> {
  const [verb, resources = '', group] = [...rule.verbs, ...rule.resources, ...rule.apiGroups];
  const [resource, subresource = ''] = resources.split('/');
  const name = rule.resourceNames?.[0] ?? '';
  // What is allowed everywhere is allowed here as well.
  const resourceAttributes = { verb, group, resource, subresource, name, namespace };
  const review: Review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: { name: '' },
    spec: { user: `system:serviceaccount:${namespace}:${account}`, resourceAttributes },
  };
  return (await client.create(review)).status?.allowed === true;
}

export interface Review {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: object;
  status?: { allowed: boolean };
}
