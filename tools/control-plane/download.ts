import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Obtainable } from './programs.ts';
import type { Versions } from './versions.ts';

const run = promisify(execFile);

/** The time after which a missing internet connection is noticed. */
const firstAnswerTimeoutMs = 3_000;
const downloadTimeoutMs = 5 * 60_000;

export interface Hosts {
  kubernetes: string;
  etcd: string;
}

const upstream: Hosts = { kubernetes: 'https://dl.k8s.io', etcd: 'https://github.com/etcd-io/etcd/releases/download' };

/** Downloads a program from its upstream release. Returns false if it is not available, which is not an error. */
export async function downloadProgram(
  program: Obtainable,
  versions: Versions,
  path: string,
  progress: (line: string) => void,
  hosts = upstream,
): Promise<boolean> {
  // Servers are released for Linux only.
  if (process.platform !== 'linux') return false;
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const contents =
    program === 'etcd'
      ? await download(...etcdAddresses(hosts, versions, architecture), progress)
      : await download(...kubernetesAddresses(hosts, versions, architecture, program), progress);
  if (contents === undefined) return false;
  const folder = await mkdtemp(`${path}.unfinished-`);
  try {
    const unfinished = program === 'etcd' ? await unpackEtcd(contents, folder) : join(folder, program);
    if (program !== 'etcd') await writeFile(unfinished, contents);
    await chmod(unfinished, 0o755);
    await rename(unfinished, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}

function kubernetesAddresses({ kubernetes }: Hosts, versions: Versions, architecture: string, program: Obtainable) {
  const address = `${kubernetes}/${versions.kubernetes}/bin/linux/${architecture}/${program}`;
  return [address, `${address}.sha256`] as const;
}

function etcdAddresses({ etcd }: Hosts, versions: Versions, architecture: string) {
  const folder = `${etcd}/${versions.etcd}`;
  return [`${folder}/etcd-${versions.etcd}-linux-${architecture}.tar.gz`, `${folder}/SHA256SUMS`] as const;
}

/** The checksum is requested first: it is small, so it soon shows if the server can be reached. */
async function download(
  address: string,
  checksumAddress: string,
  progress: (line: string) => void,
): Promise<Buffer | undefined> {
  const checksums = await fetchBytes(checksumAddress, firstAnswerTimeoutMs);
  if (checksums === undefined) return undefined;
  progress(`Downloading ${address}`);
  const contents = await fetchBytes(address, downloadTimeoutMs);
  if (contents === undefined) return undefined;
  const digest = createHash('sha256').update(contents).digest('hex');
  if (!expectedDigests(checksums.toString('utf8'), address).includes(digest)) {
    throw new Error(`${address} does not have the checksum that ${checksumAddress} gives: it is not used`);
  }
  return contents;
}

/** Either the file's checksum alone, or a list of checksums with file names. */
function expectedDigests(text: string, address: string): string[] {
  const fileName = address.slice(address.lastIndexOf('/') + 1);
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, name]) => name === undefined || name.replace(/^\*/, '') === fileName)
    .map(([digest = '']) => digest);
}

async function fetchBytes(address: string, timeoutMs: number): Promise<Buffer | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}

async function unpackEtcd(archive: Buffer, folder: string): Promise<string> {
  const path = join(folder, 'etcd.tar.gz');
  await writeFile(path, archive);
  await run('tar', ['-xzf', path, '-C', folder, '--strip-components=1']);
  return join(folder, 'etcd');
}
