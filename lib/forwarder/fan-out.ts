import { displayName, type Key } from '../kubernetes/resources.ts';
import { ownerOf } from '../queue/latest-lane.ts';
import type { Change, Route } from '../reconcile/routing.ts';

/** The default limit of messages that one change can cause at once. */
export const defaultMaxFanOut = 10_000;

/**
 * Limits the messages that one change may become. An object that many others wait for may change often, and each change
 * would be sent to all of them. Those beyond the limit are left to the slow lane, which sends unfinished objects again each
 * minute: an object that waits is unfinished. Namespaces take turns, so that those with few waiting are served at once.
 */
export class FanOut {
  /** The number of messages left to the slow lane. */
  deferred = 0;
  private readonly max: number;
  /** The changed object, and the keys to which its last change was not sent. */
  private readonly leftOut = new Map<string, ReadonlySet<string>>();

  constructor(max = defaultMaxFanOut) {
    this.max = max;
  }

  /** The routes that get a message at once. */
  limit(change: Change, routes: Route[], owner: string | undefined): Route[] {
    const isLimited = routes.length > this.max;
    if (!isLimited && this.leftOut.size === 0) return routes;
    const source = `${change.resource.plural} ${displayName(change.object.metadata)}`;
    if (!isLimited) {
      // This change is sent to all keys: none of its object is left out any more.
      this.leftOut.delete(source);
      return routes;
    }
    const inTurns = [...turnsOf(uniqueOf(ownFirst(change, routes)), owner)];
    const later = inTurns.slice(this.max);
    if (later.length > 0) this.leftOut.set(source, new Set(later.map(keyOf)));
    else this.leftOut.delete(source);
    this.deferred += later.length;
    return inTurns.slice(0, this.max);
  }

  /** True if a key was left out by the last change of an object that it waits for. */
  isLeftOut(route: Pick<Route, 'resource' | 'key'>): boolean {
    if (this.leftOut.size === 0) return false;
    const key = keyOf(route);
    for (const keys of this.leftOut.values()) if (keys.has(key)) return true;
    return false;
  }
}

function keyOf({ resource, key }: Pick<Route, 'resource' | 'key'>): string {
  return `${resource.plural} ${displayName(key)}`;
}

/** Several capabilities may lead to the same key. */
function uniqueOf(routes: readonly Route[]): Route[] {
  return [...new Map(routes.map((route) => [`${route.function} ${keyOf(route)}`, route])).values()];
}

/** The changed object itself is always sent: the checkpoint promises that. */
function ownFirst({ resource, object: { metadata } }: Change, routes: readonly Route[]): Route[] {
  const isOwn = (route: Route) => route.resource === resource && isSameKey(route.key, metadata);
  return [...routes.filter(isOwn), ...routes.filter((route) => !isOwn(route))];
}

function isSameKey({ namespace, name }: Key, other: Key): boolean {
  return name === other.name && namespace === other.namespace;
}

/** Takes one of each namespace in turn. */
function* turnsOf(routes: readonly Route[], owner: string | undefined): Generator<Route> {
  const waiting = new Map<string, { routes: Route[]; taken: number }>();
  for (const route of routes) {
    const name = ownerOf({ key: route.key, owner });
    const own = waiting.get(name);
    if (own) own.routes.push(route);
    else waiting.set(name, { routes: [route], taken: 0 });
  }
  while (waiting.size > 0) {
    for (const [name, own] of waiting) {
      yield own.routes[own.taken] as Route;
      own.taken += 1;
      if (own.taken === own.routes.length) waiting.delete(name);
    }
  }
}
