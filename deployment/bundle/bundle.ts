import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { moduleOptions } from './module-options.ts';
import { leanMap } from './source-map.ts';
import { zipOf } from './zip.ts';

export interface BundleReport {
  /** The name of the file in functions/, without its ending. */
  readonly name: string;
  /** The minified module: .build/<name>/handler.mjs, next to the modules that it loads. */
  readonly path: string;
  /** The deployed archive: all of these modules, with the source map of each. */
  readonly archivePath: string;
  /** Of the modules that are loaded when the function starts. */
  readonly bytes: number;
  /** Of the modules that are loaded on demand. */
  readonly laterBytes: number;
  readonly archiveBytes: number;
  /** The bytes of all modules by npm package, largest first; "." is our own code. */
  readonly bytesByPackage: ReadonlyMap<string, number>;
}

export interface BundleOptions {
  /** The folder that contains functions/, and in which .build/ is created. */
  readonly root?: string;
  /** Which of them; by default all. */
  readonly names?: readonly string[];
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
const lambdaCredentials = fileURLToPath(new URL('./lambda-credentials.ts', import.meta.url));

/** Bundles files of functions/, each into a module without dependencies, except those imported on demand. */
export async function bundleFunctions(options: BundleOptions = {}): Promise<BundleReport[]> {
  const root = options.root ?? repository;
  const names = options.names ?? (await namesIn(join(root, 'functions')));
  const reports: BundleReport[] = [];
  // One after the other: it takes tenths of a second, and no write is in progress when one of them fails.
  for (const name of names.toSorted()) reports.push(await bundleFunction(root, name));
  return reports;
}

async function namesIn(functions: string): Promise<string[]> {
  const entries = await readdir(functions);
  return entries.filter((entry) => entry.endsWith('.ts')).map((entry) => basename(entry, '.ts'));
}

async function bundleFunction(root: string, name: string): Promise<BundleReport> {
  const folder = join(root, '.build', name);
  const path = join(folder, 'handler.mjs');
  const result = await build({
    ...moduleOptions,
    absWorkingDir: root,
    entryPoints: [join(root, 'functions', `${name}.ts`)],
    outdir: folder,
    entryNames: 'handler',
    target: 'node24',
    // The AWS SDK is bundled, though Lambda includes one: the version of that changes without notice, and it is slower
    // to load. Its credential provider chain (profiles, SSO, web identity, instance metadata) is a third of it and of
    // no use there.
    alias: { '@aws-sdk/credential-provider-node': lambdaCredentials },
  });
  for (const { path: file, text } of result.outputFiles) if (file.endsWith('.mjs')) refuseDynamicRequire(name, text);
  const files = result.outputFiles.map(({ path: file, contents, text }): [string, Uint8Array] => {
    return [file, file.endsWith('.map') ? Buffer.from(leanMap(text)) : contents];
  });
  const archive = zipOf(Object.fromEntries(files.map(([file, contents]) => [basename(file), contents])));
  const archivePath = join(folder, `${name}.zip`);
  // The module that loads the others comes last, in case it is started meanwhile.
  for (const file of files.toSorted(([one]) => (one === path ? 1 : -1))) await write(...file);
  await write(archivePath, archive);
  const bytesByPackage = sizesByPackage(result.metafile);
  return { name, path, archivePath, ...sizesByTime(result.metafile), archiveBytes: archive.length, bytesByPackage };
}

/** esbuild silently leaves a stub that throws at run time where a CommonJS dependency calls `require`. */
function refuseDynamicRequire(name: string, code: string): void {
  if (!code.includes('Dynamic require of')) return;
  throw new Error(
    `functions/${name}.ts needs a CommonJS package, which cannot run as an ES module: see its bundle's inputs`,
  );
}

/** Concurrent deployments write the same files, so each file is replaced atomically. */
async function write(path: string, contents: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

/** Static imports are loaded with a module; dynamic ones are not. */
function sizesByTime({ outputs }: Metafile): Pick<BundleReport, 'bytes' | 'laterBytes'> {
  const modules = Object.keys(outputs).filter((path) => path.endsWith('.mjs'));
  const atStart = new Set(modules.filter((path) => path.endsWith('/handler.mjs')));
  for (const path of atStart) {
    for (const each of outputs[path]?.imports ?? [])
      if (each.kind === 'import-statement' && !each.external) atStart.add(each.path);
  }
  const bytesOf = (paths: string[]) => paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  return { bytes: bytesOf([...atStart]), laterBytes: bytesOf(modules.filter((path) => !atStart.has(path))) };
}

function sizesByPackage(metafile: Metafile): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? '.';
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return new Map([...sizes].sort(([, a], [, b]) => b - a));
}
