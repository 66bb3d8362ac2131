import { dataSources } from '../../../../lib/capabilities/data-sources/capability.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { displayName, resourceOfKind, resources } from '../../../../lib/kubernetes/resources.ts';
import type { Change, Route } from '../../../../lib/reconcile/routing.ts';
import { asWatched } from '../../../support/as-watched.ts';
import { now } from './populate-stages.ts';

export type Seen = [Change['type'], ClusterObject];
export const toClaim = 'populate-claim test/copy';
export const toCopies = 'populate-claim longshore-system/populate-uid-claim';
export const toChecked = 'check-source test/copy';

function changeOf([type, object]: Seen): Change {
  const resource = resourceOfKind(object.apiVersion, object.kind) ?? resources.pod;
  return { type, resource, object: asWatched(resource, object), seenAt: now };
}

/** What is unfinished of other objects after the last of some changes. */
export function reconsideredAfter(...changes: Seen[]): Record<string, string[]> {
  const router = dataSources.createRouter();
  const noted = changes.map(changeOf);
  for (const change of noted) router.note(change);
  const found = router.reconsider?.(noted.at(-1) as Change) ?? [];
  return Object.fromEntries(
    found.map(({ resource, key, routes }) => [`${resource.kind} ${displayName(key)}`, routes.map(written)]),
  );
}

const written = (route: Route) => `${route.function} ${displayName(route.key)}`;

/** What follows from the last of some changes, which the router notes in their order. */
export function routesAfter(...changes: Seen[]): string[] {
  return routesOfEach(...changes).at(-1) ?? [];
}

/** What follows from each of some changes. */
export function routesOfEach(...changes: Seen[]): string[][] {
  const router = dataSources.createRouter();
  return changes.map((seen) => {
    const change = changeOf(seen);
    router.note(change);
    return router.routesOf(change).map(written);
  });
}

/** What follows from a list, as the forwarder takes it: what concerns anybody is asked once more when all is listed. */
export function routesOfList(...objects: ClusterObject[]): string[] {
  const router = dataSources.createRouter();
  const order = dataSources.resources.map(({ kind }) => kind as string);
  const listed = objects
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
    .map((object) => changeOf(['listed', object]))
    .filter((change) => {
      router.note(change);
      return router.routesOf(change).length > 0;
    });
  return [...new Set(listed.flatMap((change) => router.routesOf(change)).map(written))];
}
