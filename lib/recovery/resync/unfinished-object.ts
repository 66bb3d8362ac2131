import type { Resource } from '../../kubernetes/resource.ts';
import { displayName, type Key, type ObjectName } from '../../kubernetes/resources.ts';
import type { Cause } from '../../queue/message-parts.ts';
import type { Route } from '../../reconcile/routing.ts';

/** An object with unfinished work, and the functions and keys that it concerns. */
export interface UnfinishedObject {
  object: ObjectName;
  cause: Cause;
  routes: Route[];
}

/** Selects objects. A field that is left out selects all. */
export interface Wanted {
  resource?: Resource | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
}

/**
 * True if an object is selected, or any key that it leads to: a transfer is resumed by its request, its claims and its
 * volume together, so naming one of them selects the transfer.
 */
export function isWanted({ object, routes }: UnfinishedObject, wanted: Wanted): boolean {
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

/** One message for each key and function, however many objects lead to it: a step reads all of them. */
export interface ToSend extends Route {
  cause: Cause;
}

/** True if nothing is known to be unfinished where it leads. */
export function isCheck({ only }: ToSend): boolean {
  return only === 'check';
}

export function toSend(things: readonly UnfinishedObject[]): ToSend[] {
  const byKey = new Map<string, ToSend>();
  for (const { cause, routes } of things) {
    for (const route of routes) {
      const name = `${route.function} ${displayName(route.key)}`;
      if (!byKey.has(name)) byKey.set(name, { ...route, cause });
    }
  }
  return [...byKey.values()];
}
