import { differencesOf } from '../../../lib/install/differences.ts';
import { featureVersions } from '../../../lib/install/features.ts';
import type { AnyObject } from '../../../lib/install/installable.ts';
import { type InstalledKind, installedKinds } from '../../../lib/install/kinds.ts';
import type { ObjectsApi } from '../../../lib/install/objects-api.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';

const inNamespaces = (apiVersion: string, kinds: Record<string, string>): InstalledKind[] =>
  Object.entries(kinds).map(([plural, kind]) => ({ apiVersion, kind, plural, namespaced: true }));

/** What every cluster serves besides, as far as the tests have it. */
const others: readonly InstalledKind[] = [
  ...inNamespaces('v1', {
    configmaps: 'ConfigMap',
    secrets: 'Secret',
    persistentvolumeclaims: 'PersistentVolumeClaim',
  }),
  ...inNamespaces('v1', { pods: 'Pod', events: 'Event', services: 'Service' }),
  ...inNamespaces('apps/v1', { deployments: 'Deployment', replicasets: 'ReplicaSet' }),
  ...inNamespaces('coordination.k8s.io/v1', { leases: 'Lease' }),
  ...inNamespaces('networking.k8s.io/v1', { networkpolicies: 'NetworkPolicy' }),
];

/** A cluster in memory, as far as installing needs one: it keeps objects, who owns their fields, and serves kinds. */
export class MemoryApi implements ObjectsApi {
  readonly objects = new Map<string, AnyObject>();
  /** The versions of groups that are not served. */
  readonly unserved = new Set<string>();
  /** What the caller may not do, as `<verb> <resource>`. */
  readonly denied = new Set<string>();
  readonly writes: string[] = [];
  /** Called before each write; what it throws is the answer. */
  beforeWrite: (write: string) => void = () => {};
  private readonly manager: string;
  private readonly applied = new Map<string, AnyObject>();

  constructor(manager = 'longshore-install') {
    this.manager = manager;
  }

  async get<T = AnyObject>(path: string): Promise<T | undefined> {
    if (path === '/version') return { gitVersion: 'v1.36.3' } as T;
    const discovered = this.discovery(path);
    return (discovered ?? structuredClone(this.objects.get(path))) as T | undefined;
  }

  async list<T = AnyObject>(path: string, { labelSelector = '' }: Record<string, string> = {}): Promise<T[]> {
    const wanted = labelSelector.split(',').filter((each) => each !== '');
    const parts = path.split('/');
    if (this.denied.has(`list ${parts.at(-1)}`)) throw new ClusterError('denied', 'forbidden', 403);
    const isIn = (key: string) =>
      (key.startsWith(`${path}/`) && key.split('/').length === parts.length + 1) ||
      isOfAllNamespaces(parts, key.split('/'));
    const found = [...this.objects].filter(([key]) => isIn(key)).map(([, object]) => structuredClone(object));
    const labelsOf = ({ metadata }: AnyObject) =>
      Object.entries(metadata.labels ?? {}).map(([name, value]) => `${name}=${value}`);
    return found.filter((object) => wanted.every((each) => labelsOf(object).includes(each))) as T[];
  }

  async create<T = AnyObject>(path: string, body: object, { isDryRun = false } = {}): Promise<T> {
    if (path.endsWith('/selfsubjectaccessreviews')) return this.review(body) as T;
    const object = body as AnyObject;
    if (!isDryRun) this.write('create', `${path}/${object.metadata.name}`, object);
    return structuredClone(object) as T;
  }

  async apply<T = AnyObject>(path: string, body: object, { isDryRun = false, force = false } = {}): Promise<T> {
    const object = structuredClone(body) as AnyObject;
    const before = this.objects.get(path);
    const after = merged(before ?? {}, object, this.applied.get(path)) as AnyObject;
    const conflicts = before
      ? differencesOf(before, after, this.manager).filter(({ owners }) => owners.length > 0)
      : [];
    const [first] = conflicts;
    if (first && !force) throw new ClusterError('conflict', `Apply failed: conflict with "${first.owners[0]}"`, 409);
    if (isDryRun) return after as T;
    this.write('apply', path, after);
    this.applied.set(path, object);
    return structuredClone(after) as T;
  }

  async patch<T = AnyObject>(path: string, body: object): Promise<T> {
    const before = this.objects.get(path);
    if (!before) throw new ClusterError('gone', 'not found', 404);
    this.write('patch', path, merged(before, body as AnyObject) as AnyObject);
    return structuredClone(this.objects.get(path)) as T;
  }

  async delete(path: string, uid?: string): Promise<boolean> {
    const found = this.objects.get(path);
    if (!found) return false;
    if (uid !== undefined && found.metadata.uid !== uid) throw new ClusterError('conflict', 'another uid', 409);
    this.beforeWrite(`delete ${path}`);
    this.writes.push(`delete ${path}`);
    this.objects.delete(path);
    return true;
  }

  /** Somebody else sets these fields. */
  changeAs(manager: string, path: string, change: object): void {
    const before = this.objects.get(path);
    const after = merged(before ?? {}, change) as AnyObject;
    const managers = (before?.metadata.managedFields ?? []) as object[];
    after.metadata.managedFields = [...managers, { manager, operation: 'Update', fieldsV1: fieldsOf(change) }];
    after.metadata.uid ??= `uid-${path}`;
    this.objects.set(path, after);
  }

  private write(verb: string, path: string, object: AnyObject): void {
    this.beforeWrite(`${verb} ${path}`);
    this.writes.push(`${verb} ${path}`);
    const kept = structuredClone(object);
    kept.metadata.uid ??= `uid-${path}`;
    if (kept.kind === 'CustomResourceDefinition') {
      kept.status = { conditions: [{ type: 'Established', status: 'True' }] };
    }
    this.objects.set(path, kept);
  }

  private discovery(path: string): object | undefined {
    if (path === '/apis') return { groups: [...others, ...installedKinds].flatMap(groupOf) };
    const apiVersion = /^\/apis\/([^/]+\/[^/]+)$/.exec(path)?.[1] ?? /^\/api\/([^/]+)$/.exec(path)?.[1];
    if (apiVersion === undefined) return undefined;
    if (this.unserved.has(apiVersion)) return undefined;
    const own = [...installedKinds, ...others].filter((kind) => kind.apiVersion === apiVersion);
    const defined = [...this.objects.values()]
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ spec }) => spec as { group: string; names: { kind: string }; versions: { name: string }[] })
      .filter(({ group, versions }) => versions.some(({ name }) => `${group}/${name}` === apiVersion));
    const snapshots = apiVersion === 'snapshot.storage.k8s.io/v1' ? ['VolumeSnapshot'] : [];
    const kinds = [
      ...own.map(({ kind, plural, namespaced }) => ({ kind, name: plural, namespaced, verbs: ['list', 'delete'] })),
      ...[...snapshots, ...defined.map(({ names }) => names.kind)].map((kind) => ({ kind, name: kind, verbs: [] })),
    ];
    return kinds.length > 0 || featureVersions.includes(apiVersion) ? { resources: kinds } : undefined;
  }

  private review(body: object): object {
    const { verb, resource } = (body as { spec: { resourceAttributes: { verb: string; resource: string } } }).spec
      .resourceAttributes;
    return { status: { allowed: !this.denied.has(`${verb} ${resource}`) } };
  }
}

function groupOf({ apiVersion }: InstalledKind): object[] {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? [] : [{ name: group, preferredVersion: { groupVersion: apiVersion } }];
}

function isOfAllNamespaces(collection: readonly string[], key: readonly string[]): boolean {
  const plural = collection.at(-1);
  const root = collection.slice(0, -1);
  return root.every((part, index) => key[index] === part) && key[root.length] === 'namespaces' && key.at(-2) === plural;
}

/** Fields that were applied before and are not any more are gone; lists are replaced. */
function merged(before: unknown, change: unknown, former?: unknown): unknown {
  if (!isFields(change)) return change;
  const result: Record<string, unknown> = { ...(isFields(before) ? before : {}) };
  for (const [name, owned] of Object.entries(isFields(former) ? former : {})) {
    if (name in change) continue;
    const left = isFields(owned) ? (merged(result[name], {}, owned) as object) : {};
    if (Object.keys(left).length > 0) result[name] = left;
    else delete result[name];
  }
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value, isFields(former) ? former[name] : undefined);
  }
  return result;
}

function fieldsOf(change: unknown): object {
  if (!isFields(change)) return {};
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [`f:${name}`, fieldsOf(value)]));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
