import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache/cache-folder.ts';
import { withLock } from '../cache/lock.ts';
import { findPython, type Python } from './python.ts';

const run = promisify(execFile);

/** The one place that names versions. */
export const requirementsPath = fileURLToPath(new URL('./requirements.txt', import.meta.url));

const installTimeoutMs = 10 * 60_000;

/** Installs the local AWS into the cache folder unless it is there, and returns the Python that runs it. */
export async function installLocalAws(progress: (line: string) => void): Promise<string> {
  const python = await findPython();
  const requirements = await readFile(requirementsPath, 'utf8');
  const folder = join(cacheFolder(), 'local-aws', installationName(requirements, python));
  if (isComplete(folder)) return pythonIn(folder);
  await mkdir(join(folder, '..'), { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    // Another first run may have installed it while this one waited for the lock.
    if (!isComplete(folder)) await install(folder, python, progress);
  });
  return pythonIn(folder);
}

/** Other versions, of the packages or of Python, are other installations: none is ever changed in place. */
function installationName(requirements: string, python: Python): string {
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  return `python-${python.version}-${digest}`;
}

/**
 * A virtual environment holds absolute paths, so it cannot be made elsewhere and renamed into place: a file written last
 * says that it is whole. The interpreter is a link to the system's, which may have been removed since.
 */
function isComplete(folder: string): boolean {
  return existsSync(join(folder, 'complete')) && existsSync(pythonIn(folder));
}

async function install(folder: string, python: Python, progress: (line: string) => void): Promise<void> {
  progress(`Installing the local AWS for Python ${python.version} (once, about 15 s)`);
  await rm(folder, { recursive: true, force: true });
  try {
    await run(python.command, ['-m', 'venv', folder], { timeout: installTimeoutMs });
    const pip = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--no-deps', '--quiet'];
    await run(pythonIn(folder), [...pip, '--requirement', requirementsPath], { timeout: installTimeoutMs });
  } catch (error) {
    throw new Error(`The local AWS could not be installed: ${error instanceof Error ? error.message : error}`);
  }
  await writeFile(join(folder, 'complete'), '');
  progress('Installed the local AWS');
}

function pythonIn(folder: string): string {
  return join(folder, 'bin', 'python');
}
