import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findDefinitions } from '../../../tools/csi-stand-in/definitions.ts';

const files = [
  'cluster/addons/volumesnapshots/crd/snapshot.storage.k8s.io_volumesnapshotclasses.yaml',
  'cluster/addons/volumesnapshots/crd/snapshot.storage.k8s.io_volumesnapshotcontents.yaml',
  'cluster/addons/volumesnapshots/crd/snapshot.storage.k8s.io_volumesnapshots.yaml',
  'test/e2e/testing-manifests/storage-csi/any-volume-datasource/crd/populator.storage.k8s.io_volumepopulators.yaml',
];
let folder: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-definitions-'));
  environment = { LONGSHORE_CACHE: join(folder, 'cache') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A module as Go keeps it, with some of the files. */
async function sourcesWith(present: string[]): Promise<string> {
  for (const file of present) {
    await mkdir(dirname(join(folder, 'module', file)), { recursive: true });
    await writeFile(join(folder, 'module', file), file);
  }
  return join(folder, 'module');
}

describe('definitions of snapshots', () => {
  test('are copied to the cache once, and need no Go from then on', async () => {
    const sources = await sourcesWith(files);
    const [first, second] = await Promise.all(
      [1, 2].map(() => findDefinitions({ environment, find: async () => sources })),
    );
    expect(await readdir(first ?? '')).toHaveLength(files.length);
    const find = () => Promise.reject(new Error('Go is not there'));
    expect(await findDefinitions({ environment, find })).toBe(first);
    expect(second).toBe(first);
  });

  test('are all there or none', async () => {
    const sources = await sourcesWith(files.slice(1));
    await expect(findDefinitions({ environment, find: async () => sources })).rejects.toThrow('ENOENT');
    expect(await readdir(join(folder, 'cache', 'snapshot-definitions'))).toEqual([]);
  });
});
