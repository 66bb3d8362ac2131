import { type ClusterError, isClusterError } from '../../lib/kubernetes/errors.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { groupOf, objectPath, resources } from '../../lib/kubernetes/resources.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import { lackingRight as sentenceOf } from '../connect/plain-error.ts';
import type { Work } from './work.ts';

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
    return because(noNamespace(namespace));
  }
  if (error.class === 'conflict') {
    return because(`${object} was changed or replaced at this moment, so nothing was done: look at it, and try again`);
  }
  if (error.class === 'rejected') return because(`the server refuses ${object}: ${error.message}`);
  return error;
}

/** What the caller may not do, and whom to ask for it. */
export function lackingRight({ verb, resource, namespace }: Deed): string {
  return lackingRights(verb, [resource], namespace);
}

/** The same for several kinds of one place. */
export function lackingRights(verb: Deed['verb'], all: readonly Resource[], namespace: string | undefined): string {
  const resources = all.map((resource) => ({ resource: resource.plural, group: groupOf(resource) }));
  return sentenceOf({ verb, resources, namespace });
}

/** Refuses to write, where Longshore is not installed, what only Longshore would take note of. Everybody may ask for kinds. */
export async function refuseUnserved({ api }: Pick<Work, 'api'>, resource: Resource): Promise<void> {
  const isServed = await api.get(`/apis/${resource.apiVersion}`).catch((error: unknown) => {
    if (isClusterError(error, 'denied')) return true;
    throw error;
  });
  if (!isServed) throw new Error(unserved(resource));
}

/** What the server would refuse is known before somebody is asked, or half is done, if all of its webhooks allow that. */
export async function tryOut(dryRun: Promise<unknown>): Promise<void> {
  try {
    await dryRun;
  } catch (error) {
    if (!errorText(error).includes('does not support dry run')) throw error;
  }
}

/** Where nothing is found it may be the wrong place. Whoever may not look is not told. */
export async function refuseNoNamespace({ api }: Pick<Work, 'api'>, namespace: string): Promise<void> {
  const path = objectPath({ resource: resources.namespace, name: namespace });
  const isThere = await ifAllowed(async () => (await api.get(path)) !== undefined);
  if (isThere === false) throw new Error(noNamespace(namespace));
}

export function noNamespace(namespace: string): string {
  return `there is no namespace ${namespace}: check -n and the context`;
}

/** There is nothing of that name where the caller has looked. */
export function missing(what: string): Error {
  return new Error(`there is no ${what}: check the name, the namespace (-n) and the context`);
}

export function unserved({ kind, plural, apiVersion }: Resource): string {
  return `the cluster has no kind ${kind} (${plural}, ${apiVersion}): check the context, or ask a cluster administrator whether Longshore is installed there`;
}

/** What there is not is answered by the server itself; an unknown path is answered by whoever is asked. */
function isUnserved({ class: errorClass, status }: ClusterError): boolean {
  return status === 404 && errorClass !== 'gone';
}
