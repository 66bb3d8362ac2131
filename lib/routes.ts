import { buckets } from './buckets/routes.ts';
import type { Resource } from './cluster/resources.ts';
import { dataSources } from './data-sources/routes.ts';
import type { Capability, Change, Route, Router } from './reconcile/routing.ts';
import { transfersByAnnotation } from './transfers/by-annotation/routes.ts';
import { transfersByRequest } from './transfers/by-request/routes.ts';

/** The one place where capabilities are wired to the cluster: which change concerns which key, each in its own file. */
export const capabilities: readonly Capability[] = [buckets, dataSources, transfersByAnnotation, transfersByRequest];

/** Every kind that a capability watches, once. */
export const watchedResources: readonly Resource[] = [...new Set(capabilities.flatMap(({ resources }) => resources))];

export function createRouter(): Router {
  const routers = capabilities.map((capability) => capability.createRouter());
  return {
    note: (change: Change) => {
      for (const router of routers) router.note(change);
    },
    routesOf: (change: Change): Route[] => routers.flatMap((router) => router.routesOf(change)),
  };
}
