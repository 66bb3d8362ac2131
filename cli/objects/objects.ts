import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { collectionPath, nameOf, objectPath } from '../../lib/kubernetes/resources.ts';
import { attempt, unserved } from './refusals.ts';
import type { Work } from './work.ts';

/** The calls of commands to objects of one kind, each with an explanation where it is refused. */

export function read<T extends ClusterObject>(
  { api }: Pick<Work, 'api'>,
  resource: Resource<T>,
  namespace: string | undefined,
  name: string,
): Promise<T | undefined> {
  const path = objectPath(nameOf(resource, namespace, name));
  return attempt({ verb: 'get', resource, namespace, name }, () => api.getServed<T>(path));
}

/** All of a namespace, or of the cluster. */
export async function list<T extends ClusterObject>(
  { api }: Pick<Work, 'api'>,
  resource: Resource<T>,
  namespace?: string,
): Promise<T[]> {
  const found = await attempt({ verb: 'list', resource, namespace }, () =>
    api.list<T>(collectionPath(resource, namespace)),
  );
  if (!found) throw new Error(unserved(resource));
  return found.map((each) => ({ ...each, apiVersion: resource.apiVersion, kind: resource.kind }));
}

/** Undefined if there is one of that name already, which is never overwritten. */
export async function create<T extends ClusterObject>(
  { api }: Pick<Work, 'api'>,
  resource: Resource<T>,
  object: T,
  isDryRun = false,
): Promise<T | undefined> {
  const { namespace, name } = object.metadata;
  // The cluster may serve another version of the kind, which the object is written in then.
  const path = collectionPath({ ...resource, apiVersion: object.apiVersion ?? resource.apiVersion }, namespace);
  return attempt({ verb: 'create', resource, namespace, name }, async () => {
    try {
      return await api.create<T>(path, object, { isDryRun });
    } catch (error) {
      if (isClusterError(error, 'exists')) return undefined;
      throw error;
    }
  });
}

/** Changes annotations of exactly the object that was seen, in the state that was seen. */
export function annotate<T extends ClusterObject>(
  { api }: Pick<Work, 'api'>,
  resource: Resource<T>,
  seen: T,
  annotations: Record<string, string | null>,
  isDryRun = false,
): Promise<T> {
  const { namespace, name, uid, resourceVersion } = seen.metadata;
  const path = objectPath(nameOf(resource, namespace, name));
  const body = { metadata: { uid, resourceVersion, annotations } };
  return attempt({ verb: 'patch', resource, namespace, name }, () => api.patch<T>(path, body, { isDryRun }));
}

/** Deletes exactly the object that was seen, in the state that was seen. False if it was gone already. */
export function remove(
  { api }: Pick<Work, 'api'>,
  resource: Resource,
  seen: ClusterObject,
  isDryRun = false,
): Promise<boolean> {
  const { namespace, name, uid, resourceVersion } = seen.metadata;
  const path = objectPath(nameOf(resource, namespace, name));
  return attempt({ verb: 'delete', resource, namespace, name }, () =>
    api.delete(path, uid, { isDryRun, ...(resourceVersion ? { resourceVersion } : {}) }),
  );
}
