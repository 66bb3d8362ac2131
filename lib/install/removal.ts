import { fieldManager } from './field-manager.ts';
import { findHolders, type Holder } from './holders.ts';
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
  left: readonly { object: AnyObject; why: string }[];
  holders: readonly Holder[];
  /** What others have put into our namespace, and what goes with it. */
  inNamespace: readonly string[];
  /** What looks like an installation by other means. */
  foreign: readonly string[];
}

const registrations = '/apis/cosi.io/v1alpha1/cosiregistrations';
const grants = 'referencegrants.gateway.networking.k8s.io';

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
  const left = (await Promise.all(ours.map(async (object) => ({ object, why: await whyLeft(api, object) })))).flatMap(
    ({ object, why }) => (why === undefined ? [] : [{ object, why }]),
  );
  const objects = ours.filter((object) => !left.some((each) => each.object === object));
  return {
    objects,
    left,
    holders: objects.length > 0 ? await findHolders(api, now) : [],
    inNamespace: objects.some(isNamespace) ? await othersIn(api) : [],
    foreign: await foreignNames(api),
  };
}

function isNamespace({ kind }: AnyObject): boolean {
  return kind === 'Namespace';
}

/** The kind of others that we have defined for want of it: by now others may use it, or have taken it over. */
async function whyLeft(api: ObjectsApi, object: AnyObject): Promise<string | undefined> {
  if (object.metadata.name !== grants || !isDefinition(object)) return undefined;
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

async function othersIn(api: ObjectsApi): Promise<string[]> {
  const found = await Promise.all(
    ['configmaps', 'secrets', 'persistentvolumeclaims'].map(async (plural) => {
      const items = (await api.list(`/api/v1/namespaces/${systemNamespace}/${plural}`)) ?? [];
      return items.map(({ metadata }) => `${plural.replace(/s$/, '')}/${metadata.name}`);
    }),
  );
  return found.flat().filter((name) => name !== 'configmap/kube-root-ca.crt');
}

/** Whoever has applied the manifests by other means removes them in the same way. */
async function foreignNames(api: ObjectsApi): Promise<string[]> {
  const names = ['buckets.cosi.io', 'storagetransferrequests.transfer.storage.k8s.io'];
  const [definitions] = installedKinds.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const paths = [
    `/api/v1/namespaces/${systemNamespace}`,
    ...(definitions ? names.map((name) => `${collectionPath(definitions)}/${name}`) : []),
  ];
  const found = await Promise.all(paths.map((path) => api.get(path)));
  return found.flatMap((object) => (object && !isOurs(object) ? [titleOf(object)] : []));
}
