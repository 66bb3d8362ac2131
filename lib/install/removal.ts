import { isAdopted } from './adoption.ts';
import { grantsDefinition } from './desired.ts';
import { fieldManager } from './field-manager.ts';
import { findHolders, type Holder } from './holders.ts';
import { type Content, contentsOfNamespace, type NamespaceContents, whyOccupied } from './in-namespace.ts';
import type { AnyObject } from './installable.ts';
import { collectionPath, compareTurns, groupOf, installedKinds, systemNamespace, titleOf } from './kinds.ts';
import { isOurs } from './labels.ts';
import type { ObjectsApi } from './objects-api.ts';
import { findOurs } from './ours.ts';
import { requirePermissions } from './permissions.ts';
import { definedPath, isDefinition, readServer } from './server.ts';

/** What uninstalling removes, and what keeps it from doing so. */
export interface Removal {
  /** In the order in which they are removed. */
  objects: readonly AnyObject[];
  /** What stays although it is ours, each with the reason. */
  left: readonly Left[];
  holders: readonly Holder[];
  /** What Longshore has written into our namespace: it goes with that, or by itself if the namespace is left. */
  inNamespace: readonly Content[];
  /** The namespace, if it was there before Longshore: it loses our labels, and nothing else. */
  givenBack?: AnyObject | undefined;
  /** The uids of what was in the namespace. Nothing that comes later is deleted with it. */
  seen: ReadonlySet<unknown>;
  /** What looks like an installation by other means. */
  foreign: readonly string[];
}

interface Left {
  object: AnyObject;
  why: string;
}

/** False if everything of ours that there is stays. */
export function removesAnything({ objects, left, inNamespace, givenBack }: Omit<Removal, 'holders' | 'foreign'>) {
  const isLeftWith = left.some(({ object }) => isNamespace(object)) && inNamespace.length > 0;
  return objects.length > 0 || isLeftWith || givenBack !== undefined;
}

const registrations = '/apis/cosi.io/v1alpha1/cosiregistrations';

export async function planRemoval(api: ObjectsApi, now: Date): Promise<Removal> {
  const server = await readServer(
    api,
    installedKinds.map(({ apiVersion }) => apiVersion),
  );
  const kinds = installedKinds.filter((kind) => server.serves(kind));
  const needed = kinds.flatMap((kind) => {
    const where = kind.namespaced ? { namespace: systemNamespace } : {};
    return ['list', 'delete'].map((verb) => ({ verb, group: groupOf(kind), resource: kind.plural, ...where }));
  });
  await requirePermissions(api, needed);
  const ours = (await findOurs(api, kinds)).sort((one, other) => compareTurns(other, one));
  const namespace = ours.find(isNamespace);
  const contents = namespace ? await contentsOfNamespace(api) : nothing;
  const left = (await Promise.all(ours.map((object) => leftOf(api, object, contents)))).flat();
  const objects = ours.filter((object) => !left.some((each) => each.object === object));
  const isLeft = namespace !== undefined && !objects.includes(namespace);
  const givenBack = namespace && isAdopted(namespace) ? { givenBack: namespace } : {};
  if (isLeft) await requirePermissions(api, neededToLeave(contents, 'givenBack' in givenBack));
  const removal = { objects, left, inNamespace: contents.ours, seen: contents.seen, ...givenBack };
  return {
    ...removal,
    holders: removesAnything(removal) ? await findHolders(api, now) : [],
    foreign: await foreignNames(api),
  };
}

const nothing: NamespaceContents = { ours: [], others: [], unlisted: [], seen: new Set() };

/** With the namespace everything in it would go, unasked. */
function neededToLeave({ ours }: NamespaceContents, isGivenBack: boolean) {
  const deleted = ours.map(({ group, resource }) => ({ verb: 'delete', group, resource, namespace: systemNamespace }));
  return [...deleted, ...(isGivenBack ? [{ verb: 'patch', group: '', resource: 'namespaces' }] : [])];
}

export function isNamespace({ kind }: AnyObject): boolean {
  return kind === 'Namespace';
}

async function leftOf(api: ObjectsApi, object: AnyObject, contents: NamespaceContents): Promise<Left[]> {
  const why = isNamespace(object) ? whyNamespaceIsLeft(object, contents) : await whyGrantsAreLeft(api, object);
  return why === undefined ? [] : [{ object, why }];
}

function whyNamespaceIsLeft(namespace: AnyObject, contents: NamespaceContents): string | undefined {
  const occupied = whyOccupied(contents);
  if (!isAdopted(namespace)) return occupied;
  const before = 'it was there before Longshore was installed';
  return occupied === undefined ? before : `${before}, and ${occupied}`;
}

/** The kind of others that we have defined for want of it: by now others may use it, or have taken it over. */
async function whyGrantsAreLeft(api: ObjectsApi, object: AnyObject): Promise<string | undefined> {
  if (object.metadata.name !== grantsDefinition || !isDefinition(object)) return undefined;
  const managers = (object.metadata.managedFields ?? []) as { manager?: string; fieldsV1?: Record<string, unknown> }[];
  const other = managers.find(({ manager, fieldsV1 }) => manager !== fieldManager && fieldsV1?.['f:spec']);
  if (other) return `${other.manager} has taken it over`;
  const [first] = (await api.list(definedPath(object), { limit: '500' })) ?? [];
  return first && `there are grants, such as ${first.metadata.namespace}/${first.metadata.name}`;
}

export async function findRegistrations(api: ObjectsApi): Promise<AnyObject[]> {
  return (await api.list(registrations)) ?? [];
}

export function registrationPath({ metadata }: AnyObject): string {
  return `${registrations}/${metadata.name}`;
}

/** Whoever has applied the manifests by other means removes them in the same way. */
async function foreignNames(api: ObjectsApi): Promise<string[]> {
  const [definitions] = installedKinds.filter(({ kind }) => kind === 'CustomResourceDefinition');
  if (!definitions) return [];
  const names = ['buckets.cosi.io', 'storagetransferrequests.transfer.storage.k8s.io'];
  const found = await Promise.all(names.map((name) => api.get(`${collectionPath(definitions)}/${name}`)));
  const foreign = found.flatMap((object) => (object && !isOurs(object) ? [titleOf(object)] : []));
  if (foreign.length === 0) return [];
  // Alone it may be anything, such as one that was given back.
  const namespace = await api.get(`/api/v1/namespaces/${systemNamespace}`);
  return namespace && !isOurs(namespace) ? [titleOf(namespace), ...foreign] : foreign;
}
