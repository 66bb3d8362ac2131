import { transfersByAnnotation } from '../../../../../lib/capabilities/transfers/by-annotation/capability.ts';
import type { ClusterObject } from '../../../../../lib/kubernetes/objects.ts';
import { displayName, resourceOfKind, resources } from '../../../../../lib/kubernetes/resources.ts';
import type { Change } from '../../../../../lib/reconcile/routing.ts';
import { asWatched } from '../../../../support/as-watched.ts';
import { now } from '../stages.ts';

export type Type = Change['type'];
export type Seen = [Type, ClusterObject];
export const toSource = 'match-claim prod/data';
export const toTarget = 'match-claim stage/copy';
export const toVolume = 'rebind-volume volume-1';

/** What follows from the last of some changes, which the router notes in their order. */
export function routesAfter(...changes: Seen[]): string[] {
  return routesOfEach(...changes).at(-1) ?? [];
}

/** What follows from each of some changes. */
export function routesOfEach(...changes: Seen[]): string[][] {
  const router = transfersByAnnotation.createRouter();
  return changes.map(([type, object]) => {
    const resource = resourceOfKind(object.apiVersion, object.kind) ?? resources.pod;
    const change = { type, resource, object: asWatched(resource, object), seenAt: now };
    router.note(change);
    return router.routesOf(change).map((route) => `${route.function} ${displayName(route.key)}`);
  });
}
