import { mkdir, readdir, realpath, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { type Built, installed, keptBuild, readOr } from './kept-build.ts';
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
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
const bundler = fileURLToPath(new URL('.', import.meta.url));
const handlerName = 'handler.mjs';
const lambdaCredentials = join(bundler, 'lambda-credentials.ts');

/** With these, and what is read of the packages, everything is the same. */
const deciding = ['functions', 'lib', ...installed];

interface Bundle extends Omit<BundleReport, 'path' | 'archivePath' | 'bytesByPackage'> {
  /** By their names in one folder. The module that loads the others comes last, in case it is started meanwhile. */
  readonly files: readonly (readonly [name: string, contents: Uint8Array])[];
  readonly bytesByPackage: readonly (readonly [string, number])[];
}

/**
 * Bundles every file of functions/ into a module without dependencies, except those imported on demand. What is bundled
 * already is not bundled again.
 */
export async function bundleFunctions(options: BundleOptions = {}): Promise<BundleReport[]> {
  const root = options.root ?? repository;
  // Some deploy from a folder of links. The bundles are the same.
  const sources = dirname(await realpath(join(root, 'functions')));
  const all = [...deciding.map((path) => join(sources, path)), bundler];
  const cache = join(sources, 'node_modules/.cache/bundles');
  const bundles = await keptBuild({ root: sources, all, cache }, () => bundleAll(sources));
  const reports: BundleReport[] = [];
  // One after the other: no write is in progress when one of them fails.
  for (const bundle of bundles) reports.push(await place(bundle, join(root, '.build', bundle.name)));
  return reports;
}

async function bundleAll(root: string): Promise<Built<Bundle[]>> {
  const entries = await readdir(join(root, 'functions'));
  const names = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => basename(entry, '.ts'));
  const bundles: Bundle[] = [];
  const inputs = new Set<string>();
  // One after the other: it takes tenths of a second.
  for (const name of names.sort()) {
    const { result, inputs: read } = await bundleFunction(root, name);
    bundles.push(result);
    for (const path of read) inputs.add(path);
  }
  return { result: bundles, inputs: [...inputs] };
}

async function bundleFunction(root: string, name: string): Promise<Built<Bundle>> {
  const result = await build({
    ...moduleOptions,
    absWorkingDir: root,
    entryPoints: [join(root, 'functions', `${name}.ts`)],
    outdir: join(root, '.build', name),
    entryNames: 'handler',
    target: 'node24',
    // The AWS SDK is bundled, though Lambda includes one: the version of that changes without notice, and it is slower
    // to load. Its credential provider chain (profiles, SSO, web identity, instance metadata) is a third of it and of
    // no use there.
    alias: { '@aws-sdk/credential-provider-node': lambdaCredentials },
  });
  for (const { path: file, text } of result.outputFiles) if (file.endsWith('.mjs')) refuseDynamicRequire(name, text);
  const modules = result.outputFiles.map(({ path: file, contents, text }): [string, Uint8Array] => {
    return [basename(file), file.endsWith('.map') ? Buffer.from(leanMap(text)) : contents];
  });
  const archive = zipOf(Object.fromEntries(modules));
  const files: Bundle['files'] = [
    [`${name}.zip`, archive],
    ...modules.toSorted(([one]) => (one === handlerName ? 1 : -1)),
  ];
  const bytesByPackage = sizesByPackage(result.metafile);
  const sizes = { ...sizesByTime(result.metafile), archiveBytes: archive.length };
  return { result: { name, files, ...sizes, bytesByPackage }, inputs: Object.keys(result.metafile.inputs) };
}

async function place({ files, bytesByPackage, ...bundle }: Bundle, folder: string): Promise<BundleReport> {
  await mkdir(folder, { recursive: true });
  for (const [name, contents] of files) await write(join(folder, name), contents);
  const [path, archivePath] = [handlerName, `${bundle.name}.zip`].map((name) => join(folder, name)) as [string, string];
  return { ...bundle, path, archivePath, bytesByPackage: new Map(bytesByPackage) };
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
  if (readOr(path)?.equals(contents)) return;
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

function sizesByPackage(metafile: Metafile): [string, number][] {
  const sizes = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? '.';
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...sizes].sort(([, a], [, b]) => b - a);
}
