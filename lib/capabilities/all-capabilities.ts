import { mergeSelections, type Selection } from '../json/selection.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { Capability, Change, Route, Router } from '../reconcile/routing.ts';
import { buckets } from './buckets/capability.ts';
import { dataSources } from './data-sources/capability.ts';
import { transfersByAnnotation } from './transfers/by-annotation/capability.ts';
import { transfersByRequest } from './transfers/by-request/capability.ts';

/** The one place where capabilities are wired to the cluster: which change concerns which key, each in its own file. */
export const capabilities: readonly Capability[] = [buckets, dataSources, transfersByAnnotation, transfersByRequest];

/** Every kind that a capability watches, once. */
export const watchedResources: readonly Resource[] = [...new Set(capabilities.flatMap(({ resources }) => resources))];

/** Every function that changes of a cluster lead to; what feeds the others is no key. */
export const forwardedFunctions: ReadonlySet<string> = new Set(capabilities.flatMap(({ functions }) => functions));

/**
 * Every object is named by these. Its labels, when it was made, and what tells who wrote which fields, are much of it and lead
 * to no key.
 */
const always: Selection = {
  apiVersion: true,
  kind: true,
  metadata: { '*': true, labels: false, creationTimestamp: false, managedFields: false, annotations: false },
};
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const allAnnotations: Selection = { metadata: { annotations: { '*': true, [lastApplied]: false } } };
/** On whose behalf a change of what has no namespace is told: see `ownerOf` in lib/forwarder/owner-namespace.ts. */
const ofOwner: Selection = { namespace: true };
const owners: Selection = { spec: { claimRef: ofOwner, bucketRef: ofOwner, volumeSnapshotRef: ofOwner } };
const everything: Selection = { '*': true, metadata: {} };

/** What of the objects of a kind all routers together may read. */
export function selectionOf(resource: Resource): Selection {
  const readers = capabilities.filter(({ resources }) => resources.includes(resource));
  const ofAll = resource.namespaced ? always : mergeSelections(always, owners);
  if (readers.length === 0) return mergeSelections(ofAll, allAnnotations);
  return readers.map(({ reads }) => withAnnotations(reads?.get(resource) ?? everything)).reduce(mergeSelections, ofAll);
}

/** Who does not say which annotations it reads may read any. */
function withAnnotations(reads: Selection): Selection {
  const { metadata } = reads;
  const namesAny = typeof metadata === 'object' && metadata.annotations !== undefined;
  return namesAny ? reads : mergeSelections(reads, allAnnotations);
}

/** The kinds that are watched, and whom their changes concern. */
export interface Routing {
  resources: readonly Resource[];
  createRouter: () => Router;
}

/**
 * What is forwarded where only these functions have queues. A function whose work others must go on with is of no use
 * without them, and whoever has left one out has hardly meant to.
 */
export function routingFor(functions: readonly string[]): Routing {
  const enabled = capabilities.filter((capability) => capability.functions.every((each) => functions.includes(each)));
  const idle = functions.find((each) => !enabled.some((capability) => capability.functions.includes(each)));
  if (idle !== undefined || enabled.length === 0) throw new Error(`LONGSHORE_QUEUES ${problemWith(idle, functions)}`);
  const resources = new Set(enabled.flatMap((capability) => capability.resources));
  return { resources: [...resources], createRouter: () => createRouter(enabled) };
}

function problemWith(idle: string | undefined, functions: readonly string[]): string {
  const needed = capabilities.map(({ name, functions: all }) => `${name}: ${all.join(', ')}`).join('; ');
  const advice = `each capability needs a queue for each of its functions (${needed})`;
  if (idle === undefined) return `has no queues: ${advice}`;
  const lacking = capabilities
    .filter((capability) => capability.functions.includes(idle))
    .flatMap((capability) => capability.functions.filter((each) => !functions.includes(each)));
  if (lacking.length === 0) return `has a queue for ${idle}, but nothing is forwarded to it: ${advice}`;
  return `has a queue for ${idle}, but none for ${lacking.join(', ')}, which it needs: ${advice}`;
}

export function createRouter(among: readonly Capability[] = capabilities): Router {
  const routers = among.map((capability) => capability.createRouter());
  return {
    note: (change: Change) => {
      for (const router of routers) router.note(change);
    },
    routesOf: (change: Change): Route[] => {
      const routes: Route[] = [];
      for (const router of routers) for (const route of router.routesOf(change)) routes.push(route);
      return routes;
    },
    reconsider: (change: Change) => routers.flatMap((router) => router.reconsider?.(change) ?? []),
    leaveOut: (resource: Resource) => {
      for (const router of routers) router.leaveOut?.(resource);
    },
    counts: routers.find(({ counts }) => counts)?.counts,
  };
}
