import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type BinarySource, findBinaries } from '../../../tools/control-plane/binaries.ts';
import { programs } from '../../../tools/control-plane/programs.ts';
import { readVersions } from '../../../tools/control-plane/versions.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-binaries-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Get = NonNullable<BinarySource['build']>;

/** Stands for both ways of getting a program: writes down which way it was, as the program. */
function source(canDownload: boolean, environment: Record<string, string> = {}) {
  const got: string[] = [];
  const write =
    (way: string): Get =>
    async (program, _, path) => {
      got.push(`${way} ${program}`);
      await writeFile(path, way);
    };
  const download: BinarySource['download'] = async (program, versions, path, progress) => {
    if (canDownload) await write('download')(program, versions, path, progress);
    return canDownload;
  };
  const found = findBinaries({
    environment: { LONGSHORE_CACHE: join(folder, 'cache'), ...environment },
    download,
    build: write('build'),
  });
  return found.then((paths) => ({ paths, got }));
}

test('what can be downloaded is not built', async () => {
  const { paths, got } = await source(true);
  expect(got).toEqual(programs.map((program) => `download ${program}`));
  expect(await readFile(paths.etcd, 'utf8')).toBe('download');
});

test('what cannot be downloaded is built', async () => {
  const { got } = await source(false);
  expect(got).toEqual(programs.map((program) => `build ${program}`));
});

test('what is in the cache is neither downloaded nor built', async () => {
  const first = await source(false);
  const second = await source(true);
  expect(second.got).toEqual([]);
  expect(second.paths).toEqual(first.paths);
});

test.each(['1.33', '1.36'])('the cache keeps the versions and machines apart: %s', async (minor) => {
  const environment = { LONGSHORE_TEST_KUBERNETES: minor };
  const { kubernetes, etcd } = readVersions(environment);
  const { paths } = await source(true, environment);
  expect(paths.etcd).toContain(`kubernetes-${kubernetes}-etcd-${etcd}-${process.platform}-${process.arch}`);
});

test('what the environment names counts for more than the cache, and what it lacks comes from there', async () => {
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'etcd'), 'given');
  const { paths, got } = await source(true, { KUBEBUILDER_ASSETS: assets });
  expect(paths.etcd).toBe(join(assets, 'etcd'));
  expect(got).toEqual(['download kube-apiserver', 'download kube-controller-manager']);
});

test('two first runs at once get each program once', async () => {
  const [first, second] = await Promise.all([source(true), source(true)]);
  expect([...first.got, ...second.got].toSorted()).toEqual(programs.map((program) => `download ${program}`).toSorted());
  expect(first.paths).toEqual(second.paths);
});
