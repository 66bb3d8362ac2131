import type { Name, NamespaceName, Uid } from './brands.ts';
import type { ClusterObject } from './objects.ts';
import { isLegalName } from './resources.ts';

/** The place of a claim, whichever claim of that name it is. */
export interface Place {
  namespace: NamespaceName;
  name: Name;
}

/** One object of a known kind, and no later one of its name. */
export interface Identity extends Place {
  uid: Uid;
}

export function placeOf({ metadata }: Pick<ClusterObject, 'metadata'>): Place {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

export function identityOf(object: Pick<ClusterObject, 'metadata'>): Identity {
  return { ...placeOf(object), uid: object.metadata.uid ?? '' };
}

export function samePlace(one: Place, other: Place): boolean {
  return one.namespace === other.namespace && one.name === other.name;
}

export function sameIdentity(one: Identity, other: Identity): boolean {
  return one.uid === other.uid && samePlace(one, other);
}

/** No name in Kubernetes contains a slash, so the parts cannot run together. */
export function formatPlace({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}

export function formatIdentity(identity: Identity): string {
  return `${formatPlace(identity)}/${identity.uid}`;
}

export function parsePlace(text: string | undefined): Place | undefined {
  const [namespace, name, ...more] = text?.split('/') ?? [];
  return areLegal(namespace, name) && more.length === 0 ? { namespace: namespace ?? '', name: name ?? '' } : undefined;
}

export function parseIdentity(text: string | undefined): Identity | undefined {
  const [namespace, name, uid, ...more] = text?.split('/') ?? [];
  if (!uid || more.length > 0) return undefined;
  const place = parsePlace(`${namespace}/${name}`);
  return place && { ...place, uid };
}

/** Users write these names into annotations: an invalid name must not get into the path of a call. */
function areLegal(...names: (string | undefined)[]): boolean {
  return names.every((name) => name !== undefined && isLegalName(name));
}
