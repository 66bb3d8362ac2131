import type { ClusterObject } from './objects.ts';
import type { Resource } from './resource.ts';

/** An object and its kind, as in lists and watches. */
export interface OfKind<T extends ClusterObject = ClusterObject> {
  resource: Resource<T>;
  object: T;
}

/** True if an object is of this kind; narrows its type. */
export function isOf<Seen extends OfKind, T extends ClusterObject>(
  seen: Seen,
  resource: Resource<T>,
): seen is Seen & OfKind<T> {
  const wanted: Resource = resource;
  return seen.resource === wanted;
}
