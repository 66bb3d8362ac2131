import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { installables } from '../../../lib/install/manifests.ts';

/** The keys of JSONSchemaProps (apiextensions.k8s.io/v1) that the manifests use, and which of them hold further schemas. */
const schemaKeys: Readonly<Record<string, 'schema' | 'schemas' | 'value'>> = {
  ...{ properties: 'schemas', items: 'schema', additionalProperties: 'schema' },
  ...{ type: 'value', format: 'value', description: 'value', default: 'value', enum: 'value', required: 'value' },
  ...{ minLength: 'value', maxLength: 'value', pattern: 'value', minimum: 'value', maximum: 'value' },
  ...{ minItems: 'value', maxItems: 'value', minProperties: 'value', maxProperties: 'value', nullable: 'value' },
  ...{ 'x-kubernetes-validations': 'value', 'x-kubernetes-preserve-unknown-fields': 'value' },
  ...{ 'x-kubernetes-list-type': 'value', 'x-kubernetes-list-map-keys': 'value', 'x-kubernetes-map-type': 'value' },
};

function unknownKeys(schema: object, path: string): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const here = `${path}.${key}`;
    const holds = schemaKeys[key];
    if (holds === undefined) return [here];
    if (holds === 'schema') return unknownKeys(value, here);
    if (holds === 'value') return [];
    return Object.entries(value as object).flatMap(([name, each]) => unknownKeys(each, `${here}.${name}`));
  });
}

/** A comma in unquoted text of a flow mapping begins another key, which has no value. */
function emptyFields(value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => emptyFields(each, `${path}.${key}`));
}

test('every key of every schema is one that the API server knows', () => {
  const definitions = installables.filter(({ object }) => object.kind === 'CustomResourceDefinition');
  expect(definitions.length).toBeGreaterThan(7);
  const unknown = definitions.flatMap(({ object }) => {
    const { versions } = object.spec as { versions: { schema: { openAPIV3Schema: object } }[] };
    return versions.flatMap(({ schema }) => unknownKeys(schema.openAPIV3Schema, object.metadata.name));
  });
  expect(unknown).toEqual([]);
});

test('no field is empty by accident', () => {
  const root = new URL('../../../deployment/', import.meta.url);
  const files = readdirSync(root).filter((name) => /\.ya?ml$/.test(name));
  const given = files.flatMap((name) =>
    parseAllDocuments(readFileSync(new URL(name, root), 'utf8'), { logLevel: 'silent' }).map((each) => ({
      name,
      object: each.toJS() as unknown,
    })),
  );
  expect(given.length).toBeGreaterThan(8);
  const all = [...installables.map(({ object }) => ({ name: object.metadata.name, object })), ...given];
  expect(all.flatMap(({ name, object }) => emptyFields(object, name))).toEqual([]);
});
