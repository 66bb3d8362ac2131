import type { AnyObject } from './installable.ts';
import type { ObjectsApi } from './objects-api.ts';

/** What a server serves. */
export interface Server {
  /** Such as `v1.36.3`. */
  version: string;
  serves(kind: { apiVersion: string; kind: string }): boolean;
}

/** Asks a server which of these versions of groups it serves, and their kinds. */
export async function readServer(api: ObjectsApi, apiVersions: Iterable<string>): Promise<Server> {
  const wanted = [...new Set(apiVersions)];
  const [version, ...lists] = await Promise.all([
    api.get<{ gitVersion?: string }>('/version'),
    ...wanted.map((apiVersion) => kindsIn(api, apiVersion)),
  ]);
  const served = new Map(wanted.map((apiVersion, index) => [apiVersion, lists[index] ?? []]));
  return {
    version: version?.gitVersion ?? 'of an unknown version',
    serves: ({ apiVersion, kind }) => served.get(apiVersion)?.includes(kind) === true,
  };
}

async function kindsIn(api: ObjectsApi, apiVersion: string): Promise<string[]> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const found = await api.get<{ resources?: { kind: string }[] }>(path);
  return (found?.resources ?? []).map(({ kind }) => kind);
}

interface Definition extends AnyObject {
  spec: { group: string; names: { kind: string; plural: string }; versions: { name: string; served: boolean }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export function isDefinition(object: AnyObject): object is Definition {
  return object.kind === 'CustomResourceDefinition';
}

/** The kind that a definition defines, in the version that is served first. */
export function definedKind({ spec }: Definition): { apiVersion: string; kind: string } {
  const { name = '' } = spec.versions.find(({ served }) => served) ?? {};
  return { apiVersion: `${spec.group}/${name}`, kind: spec.names.kind };
}

/** Where the objects of the defined kind are, of all namespaces. */
export function definedPath(definition: Definition): string {
  return `/apis/${definedKind(definition).apiVersion}/${definition.spec.names.plural}`;
}

/** True if the server has accepted the definition, and serves the kind. */
export async function isServed(api: ObjectsApi, name: string): Promise<boolean> {
  const found = await api.get<Definition>(`${definitionsPath}/${name}`);
  const isEstablished = found?.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  if (!found || !isEstablished) return false;
  const { apiVersion, kind } = definedKind(found);
  return (await kindsIn(api, apiVersion)).includes(kind);
}
