import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleCommand, entryName, repository } from './bundle.ts';
import { type DevelopmentManifest, publishedManifest } from './manifest.ts';
import { bundledPackages, noticesOf } from './notices.ts';

export interface Packed {
  /** The name of the file. */
  filename: string;
  /** Of the file, and of what it contains. */
  bytes: number;
  unpackedBytes: number;
  files: readonly string[];
}

/** What commands apply to clusters, and what people start them with, at the same paths as in the repository. */
const carried = [
  'manifests',
  'deployment/run.yaml',
  'deployment/run-in-cluster.yaml',
  'deployment/Dockerfile',
  'deployment/longshore.service',
  'LICENSE',
  // What `longshore cost` reads.
  'serverless.yml',
];

/** Packs the command as it is published, into a folder. */
export async function packCommand(destination: string): Promise<Packed> {
  const folder = join(repository, '.build', `package-${process.pid}`);
  try {
    await assembleCommand(folder);
    await mkdir(destination, { recursive: true });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
    const [packed] = Object.values(JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))) as [Npm];
    const { filename, size, unpackedSize, files } = packed;
    return { filename, bytes: size, unpackedBytes: unpackedSize, files: files.map(({ path }) => path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What npm says of what it has packed. */
interface Npm {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

/** Everything that is packed, in a folder. */
export async function assembleCommand(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as DevelopmentManifest;
  const { files, inputs } = await bundleCommand();
  const notices = noticesOf(await bundledPackages(repository, inputs));
  await mkdir(join(folder, 'dist'), { recursive: true });
  for (const [name, contents] of files) await writeFile(join(folder, 'dist', name), contents);
  await chmod(join(folder, 'dist', entryName), 0o755);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`);
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices);
  await cp(join(repository, 'deployment/package/README.md'), join(folder, 'README.md'));
  for (const path of carried) await cp(join(repository, path), join(folder, path), { recursive: true });
}
