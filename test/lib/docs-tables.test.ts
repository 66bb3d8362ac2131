import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

/** What `kubectl get` prints of our kinds, as documents show it: the long tests compare some of it with what is printed. */

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Definition {
  spec: {
    names: { kind: string };
    versions: { additionalPrinterColumns: { name: string; priority?: number }[] }[];
  };
}

interface Columns {
  kind: string;
  narrow: string[];
  wide: string[];
}

const columns: Columns[] = readdirSync(`${root}/manifests/crds`).map((name) => {
  const { spec } = parse(readFileSync(`${root}/manifests/crds/${name}`, 'utf8')) as Definition;
  const all = spec.versions.flatMap((version) => version.additionalPrinterColumns);
  const upper = (some: typeof all) => some.map((each) => each.name.toUpperCase());
  return { kind: spec.names.kind, narrow: upper(all.filter(({ priority = 0 }) => priority === 0)), wide: upper(all) };
});

/** The kind that begins with the same two columns, which differ from kind to kind. */
function kindOf([first, second]: readonly string[]): Columns | undefined {
  return columns.find(({ narrow }) => narrow[0] === first && narrow[1] === second);
}

/** Without the namespace and the name; labels that were asked for come last. */
function headersIn(text: string): string[][] {
  const lines = [...text.matchAll(/^ *(?:NAMESPACE +)?NAME {2,}(\S.*)$/gm)];
  return lines.map(([, rest = '']) => rest.trim().split(/ {2,}/));
}

const shown = ['README.md', ...readdirSync(`${root}/docs`, { recursive: true }).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => headersIn(readFileSync(root + name, 'utf8')).map((header) => ({ name, header })))
  .flatMap(({ name, header }) => {
    const kind = kindOf(header);
    return kind ? [{ name, kind, header }] : [];
  });

test('tables of our kinds are found, of most of them', () => {
  expect(new Set(shown.map(({ kind }) => kind.kind)).size).toBeGreaterThanOrEqual(5);
});

test.each(shown.map(({ name, kind, header }) => [name, kind.kind, header.join(' '), kind] as const))(
  '%s shows the columns of %s: %s',
  (_, __, header, { narrow, wide }) => {
    const begins = [narrow, wide].some((each) => `${header} `.startsWith(`${each.join(' ')} `));
    expect([header, begins]).toEqual([header, true]);
  },
);
