import * as v from 'valibot';
import { kindNamed } from '../kubernetes/kind-names.ts';
import { isLegalName, nameOf, type ObjectName } from '../kubernetes/resources.ts';

/** Requests of operators to try objects at once, as they stand in an annotation of the Lease. */

const request = v.object({
  id: v.pipe(v.string(), v.maxLength(40)),
  kind: v.string(),
  namespace: v.optional(v.string()),
  name: v.string(),
});
const requests = v.array(request);

export type RetryRequest = v.InferOutput<typeof request>;

/** So many wait at a time, which takes a few kilobytes. */
export const maxRequests = 20;

/** Those that can be read; what is no list of requests has none. */
export function parseRetryRequests(text: string | undefined): RetryRequest[] {
  if (text === undefined) return [];
  try {
    const parsed = v.safeParse(requests, JSON.parse(text));
    return parsed.success ? parsed.output.slice(0, maxRequests) : [];
  } catch {
    return [];
  }
}

/** Undefined if it names no object that there can be. */
export function objectOf({ kind, namespace, name }: RetryRequest): ObjectName | undefined {
  const resource = kindNamed(kind);
  if (!resource || !isLegalName(name) || (resource.namespaced && !isLegalName(namespace ?? ''))) return undefined;
  return nameOf(resource, namespace, name);
}
