import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/** What docs/architecture.md says of the layout, held by the imports of the sources, those of types included. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['lib', 'functions', 'cli', 'deployment', 'tools'];
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const imports = new Map(sources.map((file) => [file, importedBy(file)]));

function importedBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) => path);
  return named.map((path) => normalize(join(dirname(file), path)));
}

/** Every path of imports that leads back to where it began, shortest first. */
function circleFrom(file: string): string[] | undefined {
  const paths = (imports.get(file) ?? []).map((next) => [next]);
  const seen = new Set<string>();
  for (const path of paths) {
    const last = path.at(-1) ?? '';
    if (last === file) return [file, ...path];
    if (seen.has(last)) continue;
    seen.add(last);
    for (const next of imports.get(last) ?? []) paths.push([...path, next]);
  }
  return undefined;
}

function offenders(from: string, ...to: string[]): string[] {
  const isForbidden = (path: string) => to.some((folder) => path.startsWith(folder));
  return sources
    .filter((file) => file.startsWith(from))
    .flatMap((file) => (imports.get(file) ?? []).filter(isForbidden).map((path) => `${file} imports ${path}`));
}

test('imports are found at all, and lead to files that are there', () => {
  const found = [...imports.values()].flat();
  expect(found.length).toBeGreaterThan(1_000);
  const isKnown = (path: string) => imports.has(path) || !folders.includes(path.split('/')[0] ?? '');
  expect(found.filter((path) => path.endsWith('.ts') && !isKnown(path))).toEqual([]);
});

test('no file imports another in a circle', () => {
  expect(sources.map(circleFrom).filter((circle) => circle !== undefined)).toEqual([]);
});

test('functions/ holds entry points alone, one small file each', () => {
  const entries = readdirSync(join(root, 'functions'), { withFileTypes: true });
  expect(entries.filter((entry) => !entry.isFile()).map(({ name }) => name)).toEqual([]);
  for (const { name } of entries) {
    const text = readFileSync(join(root, 'functions', name), 'utf8');
    expect(text).toMatch(/^export (?:const|\{) handler\b/m);
    expect({ name, isSmall: text.split('\n').length <= 25 }).toEqual({ name, isSmall: true });
  }
});

test('no entry point carries the declarations of functions', () => {
  const reached = new Set(sources.filter((file) => file.startsWith('functions/')));
  for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next);
  expect(reached.size).toBeGreaterThan(200);
  expect([...reached].filter((file) => /\/declarations?\.ts$/.test(file))).toEqual([]);
  expect(sources.filter((file) => /\/declarations?\.ts$/.test(file)).length).toBeGreaterThan(10);
});

test('nothing that is deployed is in tools/, and nothing imports an entry point', () => {
  expect(['lib/', 'functions/', 'cli/'].flatMap((from) => offenders(from, 'tools/', 'test/', 'bench/'))).toEqual([]);
  expect(['lib/', 'cli/', 'deployment/', 'tools/'].flatMap((from) => offenders(from, 'functions/'))).toEqual([]);
});

test('kubeconfigs in YAML are for the command line: nothing in a bundle reads YAML', () => {
  const readers = sources.filter((file) => /from 'yaml'|import\('yaml'\)/.test(readFileSync(join(root, file), 'utf8')));
  expect(readers).toContain('cli/kubeconfig/read-kubeconfigs.ts');
  // serverless.yml is read for the command line too.
  const isOfCommands = (file: string) => /^(?:cli|tools|deployment)\//.test(file);
  expect(readers.filter((file) => !isOfCommands(file))).toEqual([]);
  expect(['lib/', 'functions/'].flatMap((from) => offenders(from, 'deployment/'))).toEqual([]);
});

test('the client of the API server knows nothing of what is built on it', () => {
  expect(offenders('lib/kubernetes/', 'lib/capabilities/', 'lib/reconcile/', 'lib/forwarder/', 'lib/queue/')).toEqual(
    [],
  );
});

test('the loop around steps knows no capability, and capabilities do not know how messages come', () => {
  expect(offenders('lib/reconcile/', 'lib/capabilities/', 'lib/forwarder/', 'lib/recovery/')).toEqual([]);
  expect(offenders('lib/capabilities/', 'lib/forwarder/', 'lib/recovery/', 'lib/archive/', 'cli/')).toEqual([]);
});

test('drivers of buckets know nothing of the cluster', () => {
  expect(offenders('lib/capabilities/buckets/drivers/', 'lib/kubernetes/', 'lib/reconcile/')).toEqual([]);
});

test('capabilities know each other by their marks on objects alone', () => {
  const names = ['transfers', 'buckets', 'data-sources'];
  const isMark = (line: string) => /(-marks|kept-volume)\.ts$/.test(line);
  for (const name of names) {
    const others = names.filter((each) => each !== name).map((each) => `lib/capabilities/${each}/`);
    expect(offenders(`lib/capabilities/${name}/`, ...others).filter((line) => !isMark(line))).toEqual([]);
  }
});

test('everything is wired in lib/compose, which only entry points and commands import', () => {
  const isOutside = (line: string) => !line.startsWith('lib/compose/');
  expect(offenders('lib/', 'lib/compose/').filter(isOutside)).toEqual([]);
});
