import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 200;
const takeoverPauseMs = 5;
const heartbeatMs = 5_000;
const silenceMs = 60_000;

/**
 * Does work that no other process does at the same time. The lock is a file with its owner's process id, which the
 * owner touches while it works: so the lock of a process that was killed is recognized and taken over, even if another
 * process, perhaps in another container, has the same id by now.
 *
 * A computer that sleeps can make a lock look abandoned. The work must therefore end in a rename, so that doing it
 * twice is merely wasteful; and it must not block the event loop for long, or the lock is not touched.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: (owner: number) => void = () => {},
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const content = `${process.pid} ${randomUUID()}`;
  await acquire(path, content, onWait);
  const heartbeat = setInterval(() => void touch(path), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await read(path)) === content) await rm(path, { force: true });
  }
}

async function acquire(path: string, content: string, onWait: (owner: number) => void): Promise<void> {
  let isReported = false;
  while (!(await take(path, content))) {
    const [found, silentMs] = [await read(path), await sinceTouched(path)];
    if (found === undefined || silentMs === undefined) continue;
    const owner = /^\d+ /.test(found) ? Number.parseInt(found, 10) : undefined;
    if (silentMs > silenceMs || (owner !== undefined && !isAlive(owner))) {
      await remove(path, found);
      continue;
    }
    if (owner !== undefined && !isReported) onWait(owner);
    isReported ||= owner !== undefined;
    await pause(pauseMs);
  }
}

async function take(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * If several processes find the same lock abandoned, one at a time checks again and removes it: a newer lock is never
 * touched, since no process can take the lock while the abandoned one exists.
 */
async function remove(path: string, abandoned: string): Promise<void> {
  const guard = `${path}.takeover`;
  try {
    await mkdir(guard);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const silentMs = await sinceTouched(guard);
    if (silentMs !== undefined && silentMs > silenceMs) await rm(guard, { recursive: true, force: true });
    return pause(takeoverPauseMs);
  }
  try {
    if ((await read(path)) === abandoned) await rm(path, { force: true });
  } finally {
    await rm(guard, { recursive: true, force: true });
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function sinceTouched(path: string): Promise<number | undefined> {
  const status = await stat(path).catch(() => undefined);
  return status && Date.now() - status.mtimeMs;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
