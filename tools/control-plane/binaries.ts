import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../cache/cache-folder.ts';
import { withLock } from '../cache/lock.ts';
import { buildProgram } from './build.ts';
import { downloadProgram } from './download.ts';
import { type Obtainable, type Program, programs } from './programs.ts';
import { minorOf, readVersions, type Versions, versionOf } from './versions.ts';

export interface BinarySource {
  environment?: Record<string, string | undefined>;
  progress?: (line: string) => void;
  /** The way to get a program that neither the environment nor the cache has. Tests supply their own. */
  download?: typeof downloadProgram;
  build?: typeof buildProgram;
}

/**
 * Finds the programs of the control plane: in the folder that KUBEBUILDER_ASSETS names, otherwise in the cache; a
 * program in neither is downloaded from its upstream release, or else built from source, once.
 */
export async function findBinaries(source: BinarySource = {}): Promise<Record<Program, string>> {
  const environment = source.environment ?? process.env;
  const server = givenIn(environment.KUBEBUILDER_ASSETS, 'kube-apiserver');
  const manager = givenIn(environment.KUBEBUILDER_ASSETS, 'kube-controller-manager');
  if (server && !manager) await requireSameMinor(server, environment);
  const found = {} as Record<Program, string>;
  for (const program of programs) {
    found[program] =
      givenIn(environment.KUBEBUILDER_ASSETS, program) ?? (await fromCache(program, environment, source));
  }
  return found;
}

/** The client of the same version, obtained in the same way. */
export async function findKubectl(source: BinarySource = {}): Promise<string> {
  const environment = source.environment ?? process.env;
  return givenIn(environment.KUBEBUILDER_ASSETS, 'kubectl') ?? (await fromCache('kubectl', environment, source));
}

/** A controller manager must not be newer than its API server, and envtest's folders do not include one. */
async function requireSameMinor(server: string, environment: Record<string, string | undefined>): Promise<void> {
  const [given, ours] = [await versionOf(server), readVersions(environment).kubernetes];
  if (minorOf(given) === minorOf(ours)) return;
  throw new Error(
    `KUBEBUILDER_ASSETS has kube-apiserver ${given} and no kube-controller-manager, and ${ours} would not fit: put kube-controller-manager ${given} beside it, or unset KUBEBUILDER_ASSETS`,
  );
}

function givenIn(folder: string | undefined, program: Obtainable): string | undefined {
  if (!folder) return undefined;
  const path = join(folder, program);
  return existsSync(path) ? path : undefined;
}

async function fromCache(
  program: Obtainable,
  environment: Record<string, string | undefined>,
  { progress = () => {}, download = downloadProgram, build = buildProgram }: BinarySource,
): Promise<string> {
  const versions = readVersions(environment);
  const folder = join(cacheFolder(environment), 'control-plane', folderName(versions));
  const path = join(folder, program);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const onWait = (owner: number) => progress(`Waiting for process ${owner}, which is getting ${program}`);
  const get = async () => {
    // Another first run may have created it while this one waited for the lock.
    if (existsSync(path)) return;
    await removeUnfinished(path);
    // Both write under another name and rename at the end, so an interrupted run leaves nothing incomplete.
    if (!(await download(program, versions, path, progress))) await build(program, versions, path, progress);
  };
  await withLock(join(folder, `${program}.lock`), get, onWait);
  return path;
}

/** Removes the remains of a killed run. No other process is writing, since this one holds the lock. */
async function removeUnfinished(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const other = join(dirname(path), name);
    if (other.startsWith(`${path}.unfinished-`)) await rm(other, { recursive: true, force: true });
  }
}

function folderName({ kubernetes, etcd }: Versions): string {
  return `kubernetes-${kubernetes}-etcd-${etcd}-${process.platform}-${process.arch}`;
}
