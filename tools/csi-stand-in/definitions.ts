import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type KubernetesObject, KubernetesObjectApi, loadYaml, PatchStrategy } from '@kubernetes/client-node';
import { cacheFolder } from '../cache/cache-folder.ts';
import { withLock } from '../cache/lock.ts';
import { newestGoModule, readVersions } from '../control-plane/versions.ts';
import { PatientKubeConfig } from '../local/patient-kubeconfig.ts';

const run = promisify(execFile);
const pollMs = 50;
const servedWithinMs = 30_000;

/**
 * The sources of Kubernetes contain the definitions, as published by the snapshotter and the validator of data sources.
 * They are not part of the server: those of the newest version are used on all.
 */
const module = 'k8s.io/kubernetes';
const snapshots = 'cluster/addons/volumesnapshots/crd/snapshot.storage.k8s.io_';
const populators = 'test/e2e/testing-manifests/storage-csi/any-volume-datasource/crd/populator.storage.k8s.io_';
const files = [
  `${snapshots}volumesnapshotclasses.yaml`,
  `${snapshots}volumesnapshotcontents.yaml`,
  `${snapshots}volumesnapshots.yaml`,
  `${populators}volumepopulators.yaml`,
];

interface Definition extends KubernetesObject {
  metadata: { name: string };
  status?: { conditions?: { type: string; status: string }[] };
}

export interface DefinitionSource {
  environment?: Record<string, string | undefined>;
  /** The folder in which Go has the sources. Tests supply their own. */
  find?: () => Promise<string>;
}

/** Defines the kinds of snapshots, and of populators, in a cluster. Existing ones stay as they are. */
export async function applySnapshotDefinitions(
  kubeconfigPath: string,
  progress: (line: string) => void = () => {},
): Promise<void> {
  const config = PatientKubeConfig.fromFile(kubeconfigPath);
  const client = KubernetesObjectApi.makeApiClient(config);
  const definitions = await readDefinitions(await findDefinitions());
  for (const definition of definitions) {
    if (await read(client, definition)) continue;
    await client.patch(definition, undefined, undefined, 'csi-stand-in', true, PatchStrategy.ServerSideApply);
    progress(`Defined ${definition.metadata.name}`);
  }
  for (const definition of definitions) await untilServed(client, definition);
}

/** The folder in the cache with the definitions; they are copied there once. */
export async function findDefinitions({ environment = process.env, find = findSources }: DefinitionSource = {}) {
  const { kubernetes } = readVersions({});
  const folder = join(cacheFolder(environment), 'snapshot-definitions', kubernetes);
  const copy = async () => {
    if (existsSync(folder)) return;
    const sources = await find();
    const unfinished = await mkdtemp(`${folder}.unfinished-`);
    try {
      for (const file of files) await copyFile(join(sources, file), join(unfinished, basename(file)));
      await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  };
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, copy);
  return folder;
}

/** The folder in which Go has the module in this version, which it downloads and verifies unless it is there. */
async function findSources(): Promise<string> {
  const options = { cwd: dirname(newestGoModule) };
  const { stdout } = await run('go', ['mod', 'download', '-json', module], options).catch((error) => {
    throw new Error(`Go is needed once, to get the definitions of snapshots from ${module}: ${error.message}`);
  });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

async function readDefinitions(folder: string): Promise<Definition[]> {
  const texts = await Promise.all(files.map((file) => readFile(join(folder, basename(file)), 'utf8')));
  return texts.map((text) => loadYaml(text) as Definition);
}

async function read(client: KubernetesObjectApi, { apiVersion, kind, metadata: { name } }: Definition) {
  const reference = { apiVersion: apiVersion ?? '', kind: kind ?? '', metadata: { name } };
  return client.read(reference).catch((error: { code?: number }) => {
    if (error.code === 404) return undefined;
    throw error;
  });
}

async function untilServed(client: KubernetesObjectApi, definition: Definition): Promise<void> {
  const deadline = Date.now() + servedWithinMs;
  for (;;) {
    const found = (await read(client, definition)) as Definition | undefined;
    const isServed = ({ type, status }: { type: string; status: string }) =>
      type === 'Established' && status === 'True';
    if (found?.status?.conditions?.some(isServed)) return;
    if (Date.now() > deadline) throw new Error(`${definition.metadata.name} is not served`);
    await pause(pollMs);
  }
}
