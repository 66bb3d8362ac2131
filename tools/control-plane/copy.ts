import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, stat } from 'node:fs/promises';
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

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) hash.update(name).update(await readFile(path));
  }
  return hash.digest('hex');
}
