import type { AnyObject as Desired } from '../../lib/install/installable.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { areAllMissing, type Finding, missing, noneOf, ok, problem, warning } from './finding.ts';
import { isContained } from './is-contained.ts';

/** One verb on one resource, for all objects or for those of a namespace or a name. */
export interface Permission {
  verb: string;
  group: string;
  resource: string;
  namespace?: string;
  name?: string;
  /** The role of this release that has it. */
  role: string;
}

interface Rule {
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  verbs: string[];
}

interface Role {
  rules?: Rule[];
}

const remedy = 'longshore install';
const authorization = '/apis/authorization.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
export const account = { namespace: 'longshore-system', name: 'run' };
const accountUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** The permissions of `longshore run`: of its service account if there is one, and otherwise of the caller. */
export async function checkPermissions(api: ClusterApi, objects: readonly Desired[]): Promise<Finding[]> {
  const permissions = objects.flatMap((object) => permissionsOf(object));
  const isThere = await api.get(`/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}`);
  if (!isThere) return checkOwnPermissions(api, permissions);
  const roles = await checkRoles(api, objects);
  const missing = await deniedOf(api, permissions, accountUser);
  if (missing === undefined) return [...roles, warning('permissions', 'you may not ask what longshore run may do')];
  if (missing.length === 0) return [...roles, ok('permissions', `${accountUser} has all ${permissions.length}`)];
  // One object that is missing says more than all permissions that go with it.
  return roles.length > 0 ? roles : missingPermissions(missing, accountUser);
}

async function checkOwnPermissions(api: ClusterApi, permissions: readonly Permission[]): Promise<Finding[]> {
  const note = warning(
    'permissions',
    `there is no service account ${account.namespace}/${account.name}: longshore run uses other credentials, here yours`,
  );
  const missing = (await deniedOf(api, permissions)) ?? [];
  return [
    note,
    ...(missing.length === 0
      ? [ok('permissions', `you have all ${permissions.length}`)]
      : missingPermissions(missing, 'you')),
  ];
}

/** In lines of one resource each. */
function missingPermissions(missing: readonly Permission[], who: string): Finding[] {
  const places = Map.groupBy(missing, ({ role, group, resource, namespace = '' }) =>
    [role, namespace, group, resource].join(' '),
  );
  return [...places.values()].map((permissions) => {
    const [{ role, group, resource, namespace } = missing[0] as Permission] = permissions;
    const verbs = permissions.map(({ verb }) => verb).join(', ');
    const where = namespace ? ` in ${namespace}` : '';
    const kind = group ? `${resource} of ${group}` : resource;
    return problem(
      'permissions',
      `${who} may not ${verbs} ${kind}${where}: ${role} of this release has that rule`,
      remedy,
    );
  });
}

/** Each rule taken apart. */
export function permissionsOf(object: Desired): Permission[] {
  if (object.kind !== 'ClusterRole' && object.kind !== 'Role') return [];
  const { namespace, name: roleName } = object.metadata;
  const role = `${object.kind} ${roleName}`;
  const at = namespace === undefined ? {} : { namespace };
  return ((object as Desired & Role).rules ?? []).flatMap(
    ({ apiGroups = [], resources = [], resourceNames = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.flatMap((verb) => {
            const right = { verb, group, resource, role, ...at };
            return resourceNames.length === 0 ? [right] : resourceNames.map((name) => ({ ...right, name }));
          }),
        ),
      ),
  );
}

/** Roles that are missing, and bindings that are missing or bind somebody else, by name. */
export async function checkRoles(api: Pick<ClusterApi, 'get'>, objects: readonly Desired[]): Promise<Finding[]> {
  const wanted = objects.filter(({ kind }) => plurals[kind] !== undefined);
  const found = await Promise.all(
    wanted.map(async (object) => {
      const { kind, metadata, subjects } = object;
      const { name, namespace } = metadata;
      const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
      const present = await api.get(`${rbac}${scope}/${plurals[kind]}/${name}`).catch(orDenied(object));
      const what = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
      if (!present) return [missing('permissions', what)];
      const lacking = subjectsOf(subjects).filter((each) => !subjectsOf(present.subjects).some(isLike(each)));
      return lacking.map((each) => problem('permissions', `${what} does not bind ${nameOfSubject(each)}`, remedy));
    }),
  );
  const all = found.flat();
  const hasNone = all.length === wanted.length && areAllMissing(all);
  return hasNone ? [noneOf(all.length, 'permissions', 'roles and bindings')] : all;
}

/** What the caller may not read is taken for right: the permissions themselves are asked for. */
function orDenied<T>(wanted: T): (error: unknown) => T {
  return (error) => {
    if (isClusterError(error, 'denied')) return wanted;
    throw error;
  };
}

interface Subject {
  kind?: string;
  name?: string;
  namespace?: string;
}

function subjectsOf(subjects: unknown): Subject[] {
  return Array.isArray(subjects) ? subjects : [];
}

function isLike(one: Subject): (other: Subject) => boolean {
  return (other) => isContained(one, other);
}

function nameOfSubject({ kind, name, namespace }: Subject): string {
  return kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : `${kind} ${name}`;
}

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  Role: 'roles',
  ClusterRoleBinding: 'clusterrolebindings',
  RoleBinding: 'rolebindings',
};

interface Review extends AnyObject {
  status?: { allowed?: boolean };
}

/** Those that the server would deny; of the caller without a user. Undefined if the caller may not ask. */
export async function deniedOf<T extends Omit<Permission, 'role'>>(
  api: ClusterApi,
  permissions: readonly T[],
  user?: string,
): Promise<T[] | undefined> {
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const path = `${authorization}/${kind.toLowerCase()}s`;
  const reviews = permissions.map(async ({ verb, group, resource: whole, namespace, name }) => {
    const [resource, subresource] = whole.split('/');
    const resourceAttributes = { verb, group, resource, subresource, namespace, name };
    const spec = { resourceAttributes, ...(user === undefined ? {} : { user, groups: groupsOfAccounts }) };
    const { status } = await api.create<Review>(path, { apiVersion: 'authorization.k8s.io/v1', kind, spec });
    return status?.allowed === true;
  });
  try {
    const allowed = await Promise.all(reviews);
    return permissions.filter((_, index) => !allowed[index]);
  } catch (error) {
    await Promise.allSettled(reviews);
    if (isClusterError(error, 'denied')) return undefined;
    throw error;
  }
}

/** The groups of each service account of the namespace. */
const groupsOfAccounts = [
  'system:serviceaccounts',
  `system:serviceaccounts:${account.namespace}`,
  'system:authenticated',
];
