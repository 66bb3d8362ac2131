import type { Resource } from '../../lib/kubernetes/resource.ts';
import type { Router } from '../../lib/reconcile/routing.ts';

/**
 * What is unfinished of an object may depend on others, which may change last. A router that does not look at it again then
 * has it sent each minute, or not at all, until the next list.
 */

/** Objects of this kind are looked at only when they change themselves. */
export function neverReconsidering(kind: Resource) {
  return (router: Router): Router => ({
    ...router,
    reconsider: (change) => (router.reconsider?.(change) ?? []).filter(({ resource }) => resource !== kind),
  });
}

/** Nothing else is looked at when an object of this kind changes. */
export function reconsideringNothingFor(kind: Resource) {
  return (router: Router): Router => ({
    ...router,
    reconsider: (change) => (change.resource === kind ? [] : (router.reconsider?.(change) ?? [])),
  });
}
