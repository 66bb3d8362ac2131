import { isPlain } from './api-path.ts';
import type { Target } from './fixtures.ts';
import { type ClusterName, clusterNames } from './surroundings.ts';

/** What a message names, where it is one for a function. */
export interface Named {
  cluster: ClusterName;
  namespace: string | undefined;
  name: string;
}

/**
 * What has to become of a message. `later` is of a newer release: it waits for that, and what follows it in its group
 * waits with it.
 */
export type Verdict = Named | 'refused' | 'later';

/** Judges a message by what docs/architecture.md and the types say of one, without any code of the product. */
export function verdictOn(body: unknown, { resource }: Target): Verdict {
  const event = objectIn(body);
  const types = ['add', 'update', 'delete'].map((type) => `dev.knative.apiserver.ref.${type}`);
  if (event?.specversion !== '1.0' || !types.includes(event.type as string)) return 'refused';
  const { messageversion = 1, namespace, name, source } = event;
  if (!Number.isInteger(messageversion) || (messageversion as number) < 1) return 'refused';
  if (messageversion !== 1) return 'later';
  if (event.kind !== resource.kind || event.apiversion !== resource.apiVersion) return 'refused';
  if (!isName(name) || !(resource.namespaced ? isName(namespace) : namespace === undefined)) return 'refused';
  const cluster = clusterNames.find((each) => each === source);
  return cluster === undefined ? 'refused' : { cluster, namespace: namespace as string | undefined, name };
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
