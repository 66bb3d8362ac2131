import { isClusterError } from '../kubernetes/errors.ts';
import { mapConcurrently } from '../runtime/map-concurrently.ts';
import type { AnyObject } from './installable.ts';
import { systemNamespace } from './kinds.ts';
import type { ObjectsApi } from './objects-api.ts';
import { type Belonging, belongingOf } from './whose.ts';

/** An object in our namespace. */
export interface Content {
  object: AnyObject;
  path: string;
  group: string;
  resource: string;
}

/** What there is in our namespace besides what install has put there, and what Kubernetes puts into each. */
export interface NamespaceContents {
  /** What Longshore itself has written, and what our documentation has people apply. */
  ours: readonly Content[];
  /** Everything else. */
  others: readonly Content[];
  /** The resources that could not be listed: there may be anything. */
  unlisted: readonly string[];
  /** The uids of all of it, also of what goes with something else. */
  seen: ReadonlySet<unknown>;
}

interface Kind {
  root: string;
  group: string;
  name: string;
  kind: string;
}

const atOnce = 8;

export async function contentsOfNamespace(api: ObjectsApi): Promise<NamespaceContents> {
  const { kinds, unlisted } = await storedKinds(api);
  const lists = await mapConcurrently(kinds, atOnce, (kind) => listed(api, kind));
  const found = lists.flatMap((list) => list ?? []);
  const all = found.map(({ object }) => object);
  const of = (belonging: Belonging) => found.filter(({ object }) => belongingOf(object, all) === belonging);
  const denied = kinds.filter((_, index) => lists[index] === undefined).map(titleOfKind);
  const seen = new Set(all.map(({ metadata }) => metadata.uid));
  return { ours: of('ours'), others: of('others'), unlisted: [...unlisted, ...denied], seen };
}

/** Why the namespace has to stay; undefined if everything in it may go. */
export function whyOccupied({ others, unlisted }: Pick<NamespaceContents, 'others' | 'unlisted'>): string | undefined {
  const reasons = [
    ...(others.length > 0
      ? [`it holds ${counted(others)} that ${others.length === 1 ? 'is' : 'are'} not Longshore's`]
      : []),
    ...(unlisted.length > 0
      ? [`nobody can tell what else it holds, as these could not be listed: ${unlisted.join(', ')}`]
      : []),
  ];
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

const maxNames = 5;

/** `2 Secrets and 1 PersistentVolumeClaim (secret/a, …)`. */
function counted(others: readonly Content[]): string {
  const byKind = [...Map.groupBy(others, ({ object }) => object.kind)];
  const counts = byKind.map(([kind, all]) => `${all.length} ${all.length === 1 ? kind : pluralOf(kind)}`);
  const names = others.slice(0, maxNames).map(titleOfContent);
  const shown = others.length > maxNames ? [...names, '…'] : names;
  return `${inWords(counts)} (${shown.join(', ')})`;
}

export function titleOfContent({ object }: Content): string {
  return `${object.kind.toLowerCase()}/${object.metadata.name}`;
}

function pluralOf(kind: string): string {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(kind) ? `${kind}es` : `${kind}s`;
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function titleOfKind({ name, group }: Kind): string {
  return group === '' ? name : `${name}.${group}`;
}

/** Undefined if the caller may not list them, or the server cannot. */
async function listed(api: ObjectsApi, { root, group, name, kind }: Kind): Promise<Content[] | undefined> {
  const path = `${root}/namespaces/${systemNamespace}/${name}`;
  const items = await unlessRefused(() => api.list(path));
  if (items === 'refused') return undefined;
  const apiVersion = root.replace(/^\/apis?\//, '');
  return (items ?? []).map((item) => ({
    // The items of a list do not say what they are.
    object: { ...item, apiVersion, kind },
    path: `${path}/${item.metadata.name}`,
    group,
    resource: name,
  }));
}

interface ResourceList {
  resources?: { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
}

interface GroupList {
  groups?: { name: string; preferredVersion: { groupVersion: string } }[];
}

/** Every kind of which an object can be kept in a namespace. */
async function storedKinds(api: ObjectsApi): Promise<{ kinds: Kind[]; unlisted: string[] }> {
  const groups = (await api.get<GroupList>('/apis'))?.groups ?? [];
  const roots = [
    { group: '', root: '/api/v1' },
    ...groups.map(({ name, preferredVersion }) => ({ group: name, root: `/apis/${preferredVersion.groupVersion}` })),
  ];
  const lists = await mapConcurrently(roots, atOnce, ({ root }) => unlessRefused(() => api.get<ResourceList>(root)));
  const unlisted = roots.filter((_, index) => lists[index] === 'refused').map(({ group }) => `the group ${group}`);
  const kinds = roots.flatMap(({ root, group }, index) => {
    const list = lists[index];
    const resources = (list === 'refused' ? undefined : list?.resources) ?? [];
    return resources.filter(isStored).map(({ name, kind }) => ({ root, group, name, kind }));
  });
  return { kinds, unlisted };
}

/** Events come and go by themselves. What cannot be deleted is no object that is kept, such as a pod's metrics. */
function isStored({ name, namespaced, verbs }: Required<ResourceList>['resources'][number]): boolean {
  const isWhole = !name.includes('/');
  return isWhole && namespaced && name !== 'events' && verbs.includes('list') && verbs.includes('delete');
}

/** An API of others, behind the API server, may be away: the server says so with 503. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | 'refused'> {
  try {
    return await read();
  } catch (error) {
    const isRefused = isClusterError(error, 'denied', 'rejected') || (isClusterError(error) && error.status === 503);
    if (isRefused) return 'refused';
    throw error;
  }
}
