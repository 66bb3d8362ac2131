import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { kindNamed, namesOfKind } from '../../../lib/kubernetes/kind-names.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';

const folder = new URL('../../../manifests/crds/', import.meta.url);
const definitions = readdirSync(folder).map((file) => parse(readFileSync(new URL(file, folder), 'utf8')).spec);

test('no two kinds have a name in common', () => {
  const names = Object.values(resources).flatMap((resource) => namesOfKind(resource).map((name) => name.toLowerCase()));
  expect(names.length).toBeGreaterThan(50);
  expect(new Set(names).size).toBe(names.length);
});

test.each(definitions.map((spec) => [spec.names.kind as string, spec] as const))(
  '%s is found by each name that its definition gives it',
  (kind, { group, names: { plural, shortNames } }) => {
    for (const name of [kind, plural, ...shortNames, `${plural}.${group}`]) expect(kindNamed(name)?.kind).toBe(kind);
  },
);

test('what is no kind is none', () => {
  expect(['', 'constructor', 'storagetransfer'].map(kindNamed)).toEqual([undefined, undefined, undefined]);
});
