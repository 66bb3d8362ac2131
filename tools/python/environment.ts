import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache/cache-folder.ts';
import { withLock } from '../cache/lock.ts';
import { findPython, type Python } from './python.ts';

const run = promisify(execFile);

/**
 * Only the packages that the file names, with its checksums; and nothing is built here, as build dependencies have
 * none.
 */
const checked = ['--require-hashes', '--no-deps', '--only-binary', ':all:'];
const options = [...checked, '--no-input', '--disable-pip-version-check', '--quiet'];
const installTimeoutMs = 10 * 60_000;

/** Programs in Python that are installed together. */
export interface Requirements {
  /** Their name in progress and errors. */
  readonly name: string;
  /** The file with the exact version of every package. */
  readonly path: string;
  /** Its folder in the cache. */
  readonly folder: string;
  readonly seconds: number;
}

/** Installs the packages into the cache folder unless they are there, and returns their Python. */
export async function pythonWith(requirements: Requirements, progress: (line: string) => void): Promise<string> {
  const python = await findPython();
  const text = await readFile(requirements.path, 'utf8');
  const folder = join(cacheFolder(), requirements.folder, installationName(text, python));
  if (isComplete(folder)) return pythonIn(folder);
  await mkdir(join(folder, '..'), { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    // Another first run may have installed it while this one waited for the lock.
    if (!isComplete(folder)) await install(folder, python, requirements, progress);
  });
  return pythonIn(folder);
}

/** Other versions, of the packages or of Python, are separate installations: none is ever changed in place. */
function installationName(requirements: string, python: Python): string {
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  return `python-${python.version}-${digest}`;
}

/**
 * A virtual environment contains absolute paths, so it cannot be created elsewhere and renamed: a file that is written
 * last marks it as complete. The interpreter is a link to the system's, which may have been removed since.
 */
function isComplete(folder: string): boolean {
  return existsSync(join(folder, 'complete')) && existsSync(pythonIn(folder));
}

async function install(
  folder: string,
  python: Python,
  { name, path, seconds }: Requirements,
  progress: (line: string) => void,
): Promise<void> {
  progress(`Installing ${name} for Python ${python.version} (once, about ${seconds} s)`);
  await rm(folder, { recursive: true, force: true });
  try {
    await run(python.command, ['-m', 'venv', folder], { timeout: installTimeoutMs });
    await run(pythonIn(folder), ['-m', 'pip', 'install', ...options, '--requirement', path], {
      timeout: installTimeoutMs,
    });
  } catch (error) {
    throw new Error(`Could not install ${name}: ${error instanceof Error ? error.message : error}`);
  }
  await writeFile(join(folder, 'complete'), '');
  progress(`Installed ${name}`);
}

function pythonIn(folder: string): string {
  return join(folder, 'bin', 'python');
}
