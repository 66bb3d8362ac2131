import type { Resource } from '../../kubernetes/resource.ts';
import { displayName, type Key, type ObjectName } from '../../kubernetes/resources.ts';
import type { Cause } from '../../queue/message-parts.ts';
import type { Route } from '../../reconcile/routing.ts';

/** An object that was found to be unfinished, and whom that concerns. */
export interface Thing {
  object: ObjectName;
  cause: Cause;
  routes: Route[];
}

/** What is meant, when not everything is: each part that is left out stands for all. */
export interface Wanted {
  resource?: Resource | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
}

/**
 * Whether an object is meant, or any key that it leads to: a transfer is mended by its request, its claims and its volume
 * together, and whoever names one of them means the transfer.
 */
export function isWanted({ object, routes }: Thing, wanted: Wanted): boolean {
  const names = [object, ...routes.map(({ resource, key }) => ({ resource, ...key }))];
  return names.some((each) => isNamed(each.resource, each, wanted));
}

function isNamed(resource: Resource, key: Key, wanted: Wanted): boolean {
  return (
    (wanted.resource ?? resource) === resource &&
    (wanted.namespace ?? key.namespace) === key.namespace &&
    (wanted.name ?? key.name) === key.name
  );
}

/** One message for each key and function, whatever number of objects lead to it: a step looks at all of them. */
export interface ToTell extends Route {
  cause: Cause;
}

export function toTell(things: readonly Thing[]): ToTell[] {
  const byKey = new Map<string, ToTell>();
  for (const { cause, routes } of things) {
    for (const route of routes) {
      const name = `${route.function} ${displayName(route.key)}`;
      if (!byKey.has(name)) byKey.set(name, { ...route, cause });
    }
  }
  return [...byKey.values()];
}
