import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { releasedObjects } from './release-objects.ts';

/** One verb on one resource, for all objects or for those of a namespace or a name. */
export interface Right {
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

interface Role extends AnyObject {
  rules?: Rule[];
}

const file = 'deployment/run.yaml';
const remedy = 'longshore install';
const authorization = '/apis/authorization.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
export const account = { namespace: 'longshore-system', name: 'run' };
const accountUser = `system:serviceaccount:${account.namespace}:${account.name}`;

/** The rights of `longshore run`: of its service account if there is one, and otherwise of the caller. */
export async function checkRights(api: ClusterApi): Promise<Finding[]> {
  const objects = (await releasedObjects(file)).map(({ object }) => object);
  const rights = objects.flatMap((object) => rightsOf(object));
  const isThere = await api.get(`/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}`);
  if (!isThere) return checkOwnRights(api, rights);
  const bindings = await checkBindings(api, objects);
  const missing = await deniedOf(api, rights, accountUser);
  if (missing === undefined) return [...bindings, warning('rights', 'you may not ask what longshore run may do')];
  if (missing.length === 0) return [...bindings, ok('rights', `${accountUser} has all ${rights.length}`)];
  // One object that is missing says more than all rights that go with it.
  return bindings.length > 0 ? bindings : missingRights(missing, accountUser);
}

async function checkOwnRights(api: ClusterApi, rights: readonly Right[]): Promise<Finding[]> {
  const note = warning(
    'rights',
    `there is no service account ${account.namespace}/${account.name}: longshore run uses other credentials, here yours`,
  );
  const missing = (await deniedOf(api, rights)) ?? [];
  return [
    note,
    ...(missing.length === 0 ? [ok('rights', `you have all ${rights.length}`)] : missingRights(missing, 'you')),
  ];
}

/** In lines of one resource each. */
function missingRights(missing: readonly Right[], who: string): Finding[] {
  const places = Map.groupBy(missing, ({ role, group, resource, namespace = '' }) =>
    [role, namespace, group, resource].join(' '),
  );
  return [...places.values()].map((rights) => {
    const [{ role, group, resource, namespace } = missing[0] as Right] = rights;
    const verbs = rights.map(({ verb }) => verb).join(', ');
    const where = namespace ? ` in ${namespace}` : '';
    const may = who === 'you' ? 'may' : 'may';
    const kind = group ? `${resource} of ${group}` : resource;
    return problem(
      'rights',
      `${who} ${may} not ${verbs} ${kind}${where}: ${role} of this release has that rule`,
      remedy,
    );
  });
}

/** Each rule taken apart. */
export function rightsOf(object: AnyObject): Right[] {
  if (object.kind !== 'ClusterRole' && object.kind !== 'Role') return [];
  const { namespace, name: roleName } = object.metadata;
  const role = `${object.kind} ${roleName}`;
  const at = namespace === undefined ? {} : { namespace };
  return ((object as Role).rules ?? []).flatMap(({ apiGroups = [], resources = [], resourceNames = [], verbs }) =>
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

/** Bindings and roles that are missing, or not those of this release, by name. */
async function checkBindings(api: ClusterApi, objects: readonly AnyObject[]): Promise<Finding[]> {
  const wanted = objects.filter(({ kind }) => plurals[kind] !== undefined);
  const found = await Promise.all(
    wanted.map(async ({ kind, metadata: { name, namespace }, ...rest }) => {
      const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
      const present = await api.get(`${rbac}${scope}/${plurals[kind]}/${name}`).catch(() => ({ ...rest }) as AnyObject);
      const what = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
      if (!present) return [problem('rights', `${what} is missing`, remedy)];
      return bindsAccount(kind, present) ? [] : [problem('rights', `${what} does not bind ${accountUser}`, remedy)];
    }),
  );
  return found.flat();
}

const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  Role: 'roles',
  ClusterRoleBinding: 'clusterrolebindings',
  RoleBinding: 'rolebindings',
};

function bindsAccount(kind: string, { subjects }: AnyObject): boolean {
  if (!kind.endsWith('Binding')) return true;
  const all = Array.isArray(subjects) ? (subjects as { name?: string; namespace?: string }[]) : [];
  return all.some(({ name, namespace }) => name === account.name && namespace === account.namespace);
}

interface Review extends AnyObject {
  status?: { allowed?: boolean };
}

/** Those that the server would deny; of the caller without a user. Undefined if the caller may not ask. */
export async function deniedOf<T extends Omit<Right, 'role'>>(
  api: ClusterApi,
  rights: readonly T[],
  user?: string,
): Promise<T[] | undefined> {
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const path = `${authorization}/${kind.toLowerCase()}s`;
  const reviews = rights.map(async ({ verb, group, resource: whole, namespace, name }) => {
    const [resource, subresource] = whole.split('/');
    const resourceAttributes = { verb, group, resource, subresource, namespace, name };
    const spec = { resourceAttributes, ...(user === undefined ? {} : { user, groups: groupsOfAccounts }) };
    const { status } = await api.create<Review>(path, { apiVersion: 'authorization.k8s.io/v1', kind, spec });
    return status?.allowed === true;
  });
  try {
    const allowed = await Promise.all(reviews);
    return rights.filter((_, index) => !allowed[index]);
  } catch (error) {
    await Promise.allSettled(reviews);
    if (isDenied(error)) return undefined;
    throw error;
  }
}

/** The groups of each service account of the namespace. */
const groupsOfAccounts = [
  'system:serviceaccounts',
  `system:serviceaccounts:${account.namespace}`,
  'system:authenticated',
];

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'class' in error && error.class === 'denied';
}
