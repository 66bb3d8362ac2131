import type { Name, NamespaceName } from './brands.ts';
import { resources } from './kinds.ts';
import type { ClusterObject } from './objects.ts';
import type { Resource } from './resource.ts';

/** The names of objects, and their API paths. */

export { resources };

/** The name of one object of a known kind: the content of a message. */
export interface Key {
  namespace?: NamespaceName;
  name: Name;
}

/** The name of one object: kind, namespace and name. */
export interface ObjectName<T extends ClusterObject = ClusterObject> {
  resource: Resource<T>;
  namespace?: NamespaceName;
  name: Name;
}

export function nameOf<T extends ClusterObject>(
  resource: Resource<T>,
  namespace: NamespaceName | undefined,
  name: Name,
): ObjectName<T> {
  return resource.namespaced ? { resource, namespace: namespace ?? '', name } : { resource, name };
}

/** The API group; the core group has no name. */
export function groupOf({ apiVersion }: Pick<Resource, 'apiVersion'>): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

export function resourceOfKind(apiVersion: string, kind: string): Resource | undefined {
  return Object.values(resources).find((resource) => resource.apiVersion === apiVersion && resource.kind === kind);
}

export function collectionPath(resource: Resource, namespace?: NamespaceName): string {
  const root = resource.apiVersion.includes('/') ? `/apis/${resource.apiVersion}` : `/api/${resource.apiVersion}`;
  if (namespace !== undefined && !isLegalName(namespace)) {
    throw new Error(`${JSON.stringify(namespace)} is not a valid namespace name`);
  }
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${resource.plural}`;
}

const maxNameLength = 253;
const [dot, hyphen] = [0x2e, 0x2d];

/**
 * Names become part of request paths: only names that the API server itself accepts may. Those are DNS labels with dots
 * between them; the name of a namespace has no dots, but the API server checks that itself. Names are checked several
 * times for each change, so this compares characters: a regular expression takes four times as long.
 */
export function isLegalName(name: string): boolean {
  let before = dot;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    const mayStandHere =
      code === hyphen ? before !== dot : code === dot ? isLetterOrDigit(before) : isLetterOrDigit(code);
    if (!mayStandHere) return false;
    before = code;
  }
  return isLetterOrDigit(before) && name.length <= maxNameLength;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** The self-link of an object, which is also the `subject` of a message about it. */
export function objectPath({ resource, namespace, name }: ObjectName): string {
  if (!isLegalName(name)) throw new Error(`${JSON.stringify(name)} is not a valid object name`);
  return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
}

/** The key of a namespaced object, from its displayed name. */
export function keyNamed(displayed: string): Key {
  const [namespace = '', name = ''] = displayed.split('/');
  return { namespace, name };
}

/** The name of an object for people: `namespace/name`, or the name alone for a cluster-scoped object. */
export function displayName({ namespace, name }: { namespace?: string; name: string }): string {
  return namespace ? `${namespace}/${name}` : name;
}
