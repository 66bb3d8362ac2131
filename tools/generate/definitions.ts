import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';

/** The definitions of our own kinds, in manifests/crds. */

/** The parts of a schema that the definitions use. */
export interface Schema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema;
  'x-kubernetes-validations'?: readonly { rule: string }[];
}

export interface Definition {
  file: string;
  apiVersion: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  shortNames: readonly string[];
  schema: Schema;
  /** The kind's name in lib/kubernetes/kinds.ts; undefined while it is missing there. */
  part: string | undefined;
}

interface Manifest {
  spec: {
    group: string;
    scope: 'Namespaced' | 'Cluster';
    names: { kind: string; plural: string; shortNames?: string[] };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
}

const folder = new URL('../../manifests/crds/', import.meta.url);

export function definitions(): Definition[] {
  return readdirSync(folder)
    .sort()
    .map((name) => definitionIn(`manifests/crds/${name}`, parse(readFileSync(new URL(name, folder), 'utf8'))));
}

function definitionIn(file: string, { spec: { group, scope, names, versions } }: Manifest): Definition {
  const stored = versions.find(({ storage }) => storage);
  if (!stored) throw new Error(`${file}: no version is stored`);
  const apiVersion = `${group}/${stored.name}`;
  const { kind, plural, shortNames = [] } = names;
  const known: [string, Resource][] = Object.entries(resources);
  const [part] = known.find(([, each]) => each.apiVersion === apiVersion && each.kind === kind) ?? [];
  const schema = stored.schema.openAPIV3Schema;
  return { file, apiVersion, kind, plural, namespaced: scope === 'Namespaced', shortNames, schema, part };
}
