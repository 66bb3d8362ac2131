import type { Api } from './connection.ts';
import { brokenOff, errorFromAnswer, isClusterError, parsedAnswer } from './errors.ts';
import type { Resource } from './resource.ts';

/** The plurals that a cluster serves, by version, as far as requested: kinds of one version share a response. */
export type Discovered = Map<string, readonly string[]>;

/**
 * A kind in the newest version of ours that the cluster serves, or undefined if it serves none. Only a kind that may be
 * lacking, or has older versions, is looked up: any other must exist. Each version is queried for its kinds, as a group
 * may serve a version without this kind.
 */
export async function asServed(
  api: Pick<Api, 'send'>,
  resource: Resource,
  discovered: Discovered = new Map(),
  signal?: AbortSignal,
): Promise<Resource | undefined> {
  if (!canBeLacking(resource)) return resource;
  for (const apiVersion of [resource.apiVersion, ...(resource.olderVersions ?? [])]) {
    const plurals = discovered.get(apiVersion) ?? (await pluralsIn(api, apiVersion, signal));
    discovered.set(apiVersion, plurals);
    if (plurals.includes(resource.plural)) return { ...resource, apiVersion };
  }
  return undefined;
}

async function pluralsIn(api: Pick<Api, 'send'>, apiVersion: string, signal?: AbortSignal): Promise<string[]> {
  const answer = await api.send({ method: 'GET', path: `/apis/${apiVersion}` }, signal);
  if (answer.status === 200) {
    const { resources } = parsedAnswer<{ resources?: { name: string }[] } | null>(answer.body, apiVersion) ?? {};
    if (!Array.isArray(resources)) throw brokenOff(apiVersion);
    return resources.map((resource) => String(resource?.name));
  }
  const error = errorFromAnswer(answer.status, answer.body);
  if (isUnserved(error)) return [];
  throw error;
}

/** True if a cluster may withhold this kind, and the error shows that it does so. */
export function canBeLeftOut(resource: Resource, error: unknown): boolean {
  if (resource.mayBeDenied && isClusterError(error, 'denied')) return true;
  return isLacking(resource, error);
}

/** True if the cluster does not have the kind, and need not have it. */
export function isLacking(resource: Resource, error: unknown): boolean {
  return canBeLacking(resource) && isUnserved(error);
}

function canBeLacking({ olderVersions, mayBeLacking }: Resource): boolean {
  return olderVersions !== undefined || mayBeLacking === true;
}

/** The server's own body for an unknown path; a proxy's differs. */
function isUnserved(error: unknown): boolean {
  return isClusterError(error) && error.status === 404 && error.message.trim() === '404 page not found';
}
