import { expect, test } from '@jest/globals';
import { typesOf } from '../../../tools/generate/crd-types.ts';
import type { Definition, Schema } from '../../../tools/generate/definitions.ts';

function definition(schema: Partial<Schema>): Definition {
  return {
    file: 'manifests/crds/toys.yaml',
    apiVersion: 'example.com/v1',
    kind: 'Toy',
    plural: 'toys',
    namespaced: true,
    shortNames: [],
    part: 'toy',
    schema: { type: 'object', ...schema },
  };
}

const bodyOf = (schema: Partial<Schema>) => /kind: 'Toy';\n([\s\S]*)}\n$/.exec(typesOf([definition(schema)], '.'))?.[1];

test('a field is as strict as its definition: required or not, one of its values, and of its meaning', () => {
  const spec: Schema = {
    type: 'object',
    required: ['colour', 'ownerName'],
    properties: {
      colour: { type: 'string', enum: ['red', 'green'], description: 'What it looks like.' },
      shades: { type: 'array', items: { type: 'string', enum: ['dark', 'light'] } },
      ownerName: { type: 'string' },
      targetNamespace: { type: 'string' },
      uuid: { type: 'string' },
      size: { type: 'integer' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      conditions: { type: 'array', items: { type: 'object' } },
    },
  };
  expect(bodyOf({ required: ['spec'], properties: { kind: { type: 'string' }, spec } })).toBe(`  spec: {
    /** What it looks like. */
    colour: 'red' | 'green';
    shades?: ('dark' | 'light')[];
    ownerName: Name;
    targetNamespace?: NamespaceName;
    uuid?: Uid;
    size?: number;
    labels?: Record<string, string>;
    conditions?: Condition[];
  };
`);
});

test('what is imported is what is used, and the kind is known by its part', () => {
  const text = typesOf([definition({ properties: { ownerName: { type: 'string' } } })], '../../kubernetes');
  expect(text).toContain("import type { Name } from '../../kubernetes/brands.ts';\n");
  expect(text).toContain("import type { ClusterObject } from '../../kubernetes/cluster-object.ts';\n");
  expect(text).toContain("declare module '../../kubernetes/kinds.ts' {\n  interface Shapes {\n    toy: Toy;\n");
});

test('a field that is always rejected is left out', () => {
  const properties: Record<string, Schema> = { mode: { type: 'string' }, modes: { type: 'string' } };
  const rules = [{ rule: '!has(self.modes)' }, { rule: '!has(self.mode) || self.mode != ""' }];
  expect(bodyOf({ properties, 'x-kubernetes-validations': rules })).toBe('  mode?: string;\n');
});

test('a description cannot end the comment that it is in, and is wrapped when it is long', () => {
  const properties: Record<string, Schema> = {
    size: { type: 'integer', description: `Any */ ${'word '.repeat(40)}end.` },
  };
  const lines = bodyOf({ properties })?.split('\n') ?? [];
  expect(lines.slice(0, 2)).toEqual(['  /**', expect.stringMatching(/^ {3}\* Any \* \/ word .*word$/)]);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test('a type that is not known here is not left open', () => {
  const properties = { any: { type: 'anything' } } as unknown as Record<string, Schema>;
  expect(() => typesOf([definition({ properties })], '.')).toThrow('a field any of type anything');
});
