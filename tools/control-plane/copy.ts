import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies a folder that is no longer written to, except for pending writes to the disk: it is copied until two copies in
 * a row are the same. The copy is beside the folder.
 */
export async function copyAtRest(folder: string): Promise<string> {
  let before: string | undefined;
  for (;;) {
    const copy = `${folder}-copy`;
    await rm(copy, { recursive: true, force: true });
    await cp(folder, copy, { recursive: true });
    const now = await digestOf(copy);
    if (now === before) return copy;
    before = now;
  }
}

const pageBytes = 4_096;

/** Takes away from a copy of etcd's data what etcd only reserves: 64 MB for each part of its log. */
export async function withoutReserve(copy: string): Promise<string> {
  const log = join(copy, 'member', 'wal');
  for (const name of await readdir(log)) {
    const path = join(log, name);
    if (name.endsWith('.tmp')) await rm(path);
    else await truncate(path, writtenBytes(await readFile(path)));
  }
  return copy;
}

/** All that is not zero, and enough zeros to see that nothing follows. */
function writtenBytes(content: Buffer): number {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end -= 1;
  return Math.min(content.length, (Math.floor(end / pageBytes) + 2) * pageBytes);
}

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) hash.update(name).update(await readFile(path));
  }
  return hash.digest('hex');
}
