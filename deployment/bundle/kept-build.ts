import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { withLock } from '../../tools/cache/lock.ts';

export interface Sources {
  /** Paths are relative to this folder, so that what is built stays of use if all is moved. */
  root: string;
  /**
   * Files, and folders with all that is in them: a change of any of these counts, and so does a new file, because an
   * import can find it.
   */
  all: readonly string[];
  /** The folder that holds what was built before. */
  cache: string;
}

export interface Built<T> {
  /** Values that can be cloned. */
  result: T;
  /** Every file that was read, relative to the root. */
  inputs: readonly string[];
}

interface Kept<T> {
  result: T;
  /** The digests of the inputs that are not among the sources, such as packages. */
  others: readonly (readonly [path: string, digest: string | undefined])[];
}

/** What decides every build, beside its own sources. The last one is what npm has installed. */
export const installed = ['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'];

/** Each has some megabytes. */
const maxKept = 4;
const digestBytes = 32;
const lockEnding = '.lock';
/** By which the time of a file may lag behind the clock. */
const lagMs = 100;

/**
 * Builds, unless the same was built before from the same sources. Several processes may ask for it at a time: one of them
 * builds. What is kept is whole or not there.
 */
export async function keptBuild<T>(sources: Sources, build: () => Promise<Built<T>>): Promise<T> {
  const key = keyOf(sources);
  const path = join(sources.cache, key);
  const found = await keptAt<T>(path, sources.root);
  if (found) return found.result;
  let made: Promise<T> | undefined;
  const make = () => {
    made ??= buildAndKeep(sources, key, build);
    return made;
  };
  try {
    const another = () => keptAt<T>(path, sources.root);
    return await withLock(`${path}${lockEnding}`, async () => (await another())?.result ?? (await make()));
  } catch {
    // Where no lock can be made, it is built without one; and what was wrong with the build is still wrong with it.
    return make();
  }
}

async function buildAndKeep<T>(sources: Sources, key: string, build: () => Promise<Built<T>>): Promise<T> {
  const begun = Date.now() - lagMs;
  const { result, inputs } = await build();
  const others = othersOf(sources, inputs);
  const isChanged = others.some(([other]) => timeOf(join(sources.root, other)) >= begun) || keyOf(sources) !== key;
  // Nobody knows which of two versions was read. And where nothing can be kept, the next one builds again.
  if (!isChanged) await keep<T>(join(sources.cache, key), { result, others }).catch(() => {});
  return result;
}

async function keptAt<T>(path: string, root: string): Promise<Kept<T> | undefined> {
  const kept = readKept<T>(path, root);
  const now = new Date();
  if (kept) await utimes(path, now, now).catch(() => {});
  return kept;
}

function keyOf({ root, all }: Sources): string {
  const hash = createHash('sha256').update(process.version);
  const files = all.flatMap(filesIn).map((path) => [relative(root, path), digestOf(path)]);
  return hash.update(JSON.stringify(files)).digest('hex');
}

function filesIn(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/** With the manifest of each package, which decides which of its files are read. */
function othersOf({ root, all }: Sources, inputs: readonly string[]): Kept<unknown>['others'] {
  const known = new Set(all.flatMap(filesIn));
  const manifests = inputs.map((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(path)?.[0]);
  const found = new Set([...inputs, ...manifests.flatMap((folder) => (folder ? [`${folder}package.json`] : []))]);
  const others = [...found].filter((path) => !known.has(join(root, path)));
  return others.map((path) => [path, digestOf(join(root, path))]);
}

function digestOf(path: string): string | undefined {
  const contents = readOr(path);
  return contents && createHash('sha256').update(contents).digest('hex');
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

function readKept<T>(path: string, root: string): Kept<T> | undefined {
  const contents = readOr(path);
  if (contents === undefined) return undefined;
  const serialized = contents.subarray(digestBytes);
  if (!createHash('sha256').update(serialized).digest().equals(contents.subarray(0, digestBytes))) return undefined;
  const kept: Kept<T> = deserialize(serialized);
  return kept.others.every(([other, digest]) => digestOf(join(root, other)) === digest) ? kept : undefined;
}

async function keep<T>(path: string, kept: Kept<T>): Promise<void> {
  const serialized = serialize(kept);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, [createHash('sha256').update(serialized).digest(), serialized]);
  await rename(unfinished, path);
  const names = (await readdir(folder)).filter((name) => !name.includes(lockEnding));
  const all = names.map((name) => join(folder, name));
  const times = new Map<string, number>();
  for (const each of all) times.set(each, (await stat(each)).mtimeMs);
  const latest = all.sort((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
  for (const each of latest.slice(maxKept)) await rm(each, { force: true });
}

export function readOr(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
