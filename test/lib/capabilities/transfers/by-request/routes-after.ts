import { transfersByRequest } from '../../../../../lib/capabilities/transfers/by-request/capability.ts';
import type { ClusterObject } from '../../../../../lib/kubernetes/objects.ts';
import { displayName, resourceOfKind, resources } from '../../../../../lib/kubernetes/resources.ts';
import { type Change, isUnfinishedWork, type Route } from '../../../../../lib/reconcile/routing.ts';
import { asWatched } from '../../../../support/as-watched.ts';
import { now } from '../stages.ts';

export type Type = Change['type'];
export const toRequest = 'match-transfer stage/move';
export const toApproval = 'match-approval prod/allow';
export const toVolume = 'rebind-volume volume-1';

/** What follows from the last of some changes, which the router notes in their order. */
export function routesAfter(...changes: [Type, ClusterObject][]): string[] {
  return foundAfter(...changes).map(written);
}

/** What of that is unfinished work of the object that changed last. */
export function unfinishedAfter(...changes: [Type, ClusterObject][]): string[] {
  return foundAfter(...changes)
    .filter(isUnfinishedWork)
    .map(written);
}

const written = (route: Route) => `${route.function} ${displayName(route.key)}`;

function foundAfter(...changes: [Type, ClusterObject][]): Route[] {
  const router = transfersByRequest.createRouter();
  const found = changes.map(([type, object]) => {
    const resource = resourceOfKind(object.apiVersion, object.kind) ?? resources.pod;
    const change = { type, resource, object: asWatched(resource, object), seenAt: now };
    router.note(change);
    return router.routesOf(change);
  });
  return found.at(-1) ?? [];
}
