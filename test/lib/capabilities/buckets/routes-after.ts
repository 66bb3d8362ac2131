import { buckets } from '../../../../lib/capabilities/buckets/capability.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { displayName, resourceOfKind, resources } from '../../../../lib/kubernetes/resources.ts';
import type { Change, Route } from '../../../../lib/reconcile/routing.ts';
import { asWatched } from '../../../support/as-watched.ts';
import { contentName, driver, now } from './bucket-stages.ts';

export type Seen = [Change['type'], ClusterObject];
export const toBucket = 'bind-bucket prod/photos';
export const toSecret = 'copy-secret prod/photos';
export const toContent = `provision-bucket ${contentName}`;
export const toDriver = `register-driver ${driver}`;

function changeOf([type, object]: Seen): Change {
  const resource = resourceOfKind(object.apiVersion, object.kind) ?? resources.pod;
  return { type, resource, object: asWatched(resource, object), seenAt: now };
}

/** What follows from the last of some changes, which the router notes in their order. */
export function routesAfter(...changes: Seen[]): string[] {
  return routesOfEach(...changes).at(-1) ?? [];
}

/** What follows from each of some changes. */
export function routesOfEach(...changes: Seen[]): string[][] {
  const router = buckets.createRouter();
  return changes.map((seen) => {
    const change = changeOf(seen);
    router.note(change);
    return router.routesOf(change).map(inWords);
  });
}

/** What follows from a list, of which all is noted before any of it is routed. */
export function routesOfList(...objects: ClusterObject[]): string[] {
  const router = buckets.createRouter();
  const changes = objects.map((object) => changeOf(['listed', object]));
  for (const change of changes) router.note(change);
  return changes.flatMap((change) => router.routesOf(change)).map(inWords);
}

/** What is unfinished of other objects after the last of some changes; in a cluster that shows no Secrets, if it is blind. */
export function reconsideredAfter(changes: Seen[], isBlind = false): Record<string, string[]> {
  const router = buckets.createRouter();
  if (isBlind) router.leaveOut?.(resources.secret);
  const last = changes.map(changeOf).map((change) => {
    router.note(change);
    return change;
  });
  const found = router.reconsider?.(last.at(-1) as Change) ?? [];
  return Object.fromEntries(
    found.map(({ resource, key, routes }) => [`${resource.kind} ${displayName(key)}`, routes.map(inWords)]),
  );
}

function inWords({ function: name, key, only }: Route): string {
  return `${name} ${displayName(key)}${only ? ` (${only})` : ''}`;
}
