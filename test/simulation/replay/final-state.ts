import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';

/** What tells when something was written and how often, and nothing of what there is. */
const ofTheWay = new Set(['resourceVersion', 'generation', 'observedGeneration', 'managedFields', 'creationTime']);
/** Times; uids, and what is named after them or holds keys that are made anew each time. */
const made = /\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|\b[0-9a-f]{20,}\b/g;

/** All objects but Events, written so that two clusters which came to the same end by different ways have the same. */
export function finalState(cluster: FakeCluster): string[] {
  const all = Object.values<Resource>(resources).filter((resource) => resource !== resources.event);
  const objects = all.flatMap((resource) => cluster.all(resource));
  return objects.map((object) => JSON.stringify(plain(object))).sort();
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(made, '…');
  if (Array.isArray(value)) return value.map(plain).sort(byText);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !ofTheWay.has(name));
  const isSecret = fields.some(([name, of]) => name === 'kind' && of === 'Secret');
  const told = fields.map(([name, of]) => [
    name,
    isSecret && name === 'data' ? Object.keys(of as object).sort() : plain(of),
  ]);
  return Object.fromEntries(told.sort(byText));
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
