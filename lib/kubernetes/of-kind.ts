import type { ClusterObject } from './objects.ts';
import type { Resource } from './resource.ts';

/** An object and its kind, as lists and watches give them. */
export interface OfKind<T extends ClusterObject = ClusterObject> {
  resource: Resource<T>;
  object: T;
}

/** Whether an object is of this kind: then the compiler knows what it looks like. */
export function isOf<Seen extends OfKind, T extends ClusterObject>(
  seen: Seen,
  resource: Resource<T>,
): seen is Seen & OfKind<T> {
  const wanted: Resource = resource;
  return seen.resource === wanted;
}
