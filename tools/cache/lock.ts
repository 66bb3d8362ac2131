import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 200;

/**
 * Does work that no other process does at the same time. The lock is a file with its owner's process id, so that the
 * lock of a process that was killed is recognised and taken over.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: (owner: number) => void = () => {},
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let told = false;
  while (!(await take(path))) {
    const owner = await ownerOf(path);
    if (owner !== undefined && !isAlive(owner)) await rm(path, { force: true });
    else {
      if (owner !== undefined && !told) onWait(owner);
      told = told || owner !== undefined;
      await pause(pauseMs);
    }
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function ownerOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
