import type { ClusterObject } from '../../../kubernetes/objects.ts';
import { type Key, resources } from '../../../kubernetes/resources.ts';
import type { Route } from '../../../reconcile/routing.ts';
import type { WaitIndex } from './wait-index.ts';

export function begunVolumes(request: Key, index: WaitIndex): Route[] {
  return index.volumesOf(request).map(toVolume);
}

export function toRequest({ namespace, name }: Key): Route {
  const key = namespace === undefined ? { name } : { namespace, name };
  return { function: 'match-transfer', resource: resources.transferRequest, key };
}

export function toApproval(key: Key): Route {
  return { function: 'match-approval', resource: resources.transferApproval, key };
}

export function toVolume(name: string): Route {
  return { function: 'rebind-volume', resource: resources.volume, key: { name } };
}

/** For requests that wait for a listed object: they are listed, and unfinished, themselves. */
export function forOthers(route: Route): Route {
  return { ...route, only: 'news' };
}

export function keyOf({ metadata }: ClusterObject): Key {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
