import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Packed, packCommand } from '../../deployment/package/package.ts';

/** `longshore` as people have it: packed, and installed in a folder of its own from that file alone. */
export interface InstalledCommand extends AsyncDisposable {
  packed: Packed;
  folder: string;
  /** The installed package. */
  package: string;
  /** The folder of its programs. */
  bin: string;
}

export async function installCommand(): Promise<InstalledCommand> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-installed-'));
  const packed = await packCommand(folder);
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const environment = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') };
  execFileSync('npm', [...args, join(folder, packed.filename)], { cwd: folder, env: environment, stdio: 'pipe' });
  return {
    packed,
    folder,
    package: join(folder, 'node_modules', 'longshore'),
    bin: join(folder, 'node_modules', '.bin'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface Node {
  path: string;
  version: string;
}

/** This process's Node, and of those on the PATH each other major version. */
export function nodesHere(): Node[] {
  const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const all = new Map<string, Node>([[majorOf(process.version), { path: process.execPath, version: process.version }]]);
  for (const path of found.filter((each) => existsSync(each))) {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();
    const major = majorOf(version);
    if (!all.has(major) && Number(major) >= 20) all.set(major, { path, version });
  }
  return [...all.values()];
}

function majorOf(version: string): string {
  return version.replace(/^v/, '').split('.')[0] ?? '';
}
