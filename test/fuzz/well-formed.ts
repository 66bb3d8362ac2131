import { isPlain } from './api-path.ts';
import type { Target } from './fixtures.ts';
import { type ClusterName, clusterNames } from './surroundings.ts';

/** What a message names, where it is one for a function. */
export interface Named {
  cluster: ClusterName;
  namespace: string | undefined;
  name: string;
}

/** What has to become of a message. */
export type Verdict = Named | 'refused';

/** Judges a message by what docs/architecture.md and the types say of one, without any code of the product. */
export function verdictOn(body: unknown, group: unknown, { resource }: Target): Verdict {
  const event = objectIn(body);
  const types = ['add', 'update', 'delete'].map((type) => `dev.knative.apiserver.ref.${type}`);
  if (event?.specversion !== '1.0' || !types.includes(event.type as string)) return 'refused';
  const { messageversion = 1, namespace, name, source } = event;
  if (messageversion !== 1) return 'refused';
  if (event.kind !== resource.kind || event.apiversion !== resource.apiVersion) return 'refused';
  if (!isName(name) || !(resource.namespaced ? isName(namespace) : namespace === undefined)) return 'refused';
  const cluster = clusterNames.find((each) => each === source);
  if (cluster === undefined || isOfAnotherKey(group, [cluster, namespace, name])) return 'refused';
  return { cluster, namespace: namespace as string | undefined, name };
}

/** What has a slash, or is a hash, may be the group of a key; those of the keys here are short enough to be readable. */
function isOfAnotherKey(group: unknown, own: unknown[]): boolean {
  if (typeof group !== 'string' || !(group.includes('/') || /^[0-9a-f]{64}$/.test(group))) return false;
  return group !== own.filter((part) => part !== undefined).join('/');
}

export function objectIn(body: unknown): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body as string);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isPlain(value);
}
