import { selectionOf } from '../../lib/capabilities/all-capabilities.ts';
import { select } from '../../lib/json/selection.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';

/** What is left of an object when it has been watched: routing gets to see no more than it says that it reads. */
export function asWatched(resource: Resource, object: ClusterObject): ClusterObject {
  return select(object, selectionOf(resource)) as ClusterObject;
}
