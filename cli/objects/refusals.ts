import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { groupOf } from '../../lib/kubernetes/resources.ts';

export interface Deed {
  verb: 'get' | 'list' | 'create' | 'patch' | 'delete';
  resource: Resource;
  /** Undefined for all of them, and for kinds without namespaces. */
  namespace?: string | undefined;
  name?: string;
}

/** Makes a call, and says in terms of Kubernetes what the caller lacks where it is refused. */
export async function attempt<T>(deed: Deed, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw explained(deed, error);
  }
}

/** The same for what is only nice to know: undefined where the caller may not see it. */
export async function ifAllowed<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isClusterError(error, 'denied')) return undefined;
    throw error;
  }
}

export function explained(deed: Deed, error: unknown): unknown {
  if (!isClusterError(error)) return error;
  const { resource, namespace, name } = deed;
  const object = [resource.kind, [namespace, name].filter(Boolean).join('/')].filter(Boolean).join(' ');
  const because = (text: string) => new Error(text, { cause: error });
  if (error.class === 'denied') return because(lackingRight(deed));
  if (isUnserved(error)) return because(unserved(resource));
  if (error.class === 'gone' && namespace && deed.verb === 'create') {
    return because(`there is no namespace ${namespace}: check -n and the context`);
  }
  if (error.class === 'conflict') {
    return because(`${object} was changed or replaced at this moment, so nothing was done: look at it, and try again`);
  }
  if (error.class === 'rejected') return because(`the server refuses ${object}: ${error.message}`);
  return error;
}

/** What the caller may not do, and whom to ask for it. */
export function lackingRight({ verb, resource, namespace }: Deed): string {
  const where = namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`;
  const group = groupOf(resource);
  const full = group === '' ? resource.plural : `${resource.plural}.${group}`;
  const whom = namespace === undefined ? 'a cluster administrator' : `an administrator of namespace ${namespace}`;
  return `you may not ${verb} ${resource.plural} ${where}: ask ${whom} for the verb ${verb} on ${full}`;
}

export function unserved({ kind, plural, apiVersion }: Resource): string {
  return `the cluster has no kind ${kind} (${plural}, ${apiVersion}): ask a cluster administrator whether Longshore is installed there`;
}

/** The server's own answer for an unknown path. */
function isUnserved(error: { status?: number | undefined; message: string }): boolean {
  return error.status === 404 && error.message.trim() === '404 page not found';
}
