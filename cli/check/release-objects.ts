import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { AnyObject } from '../connect/cluster-api.ts';

/** An object of this release, and the file that has it, as commands name it. */
export interface Released {
  object: AnyObject;
  file: string;
}

const root = new URL('../../', import.meta.url);

/** Of a folder such as `manifests/crds`, or of one file, with the comments left out. */
export async function releasedObjects(path: string): Promise<Released[]> {
  const files = path.endsWith('.yaml') ? [path] : await filesIn(path);
  const all = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(fileURLToPath(new URL(file, root)), 'utf8');
      return parseAllDocuments(text).flatMap((document) => {
        const object = document.toJS() as AnyObject | null;
        return object ? [{ object, file }] : [];
      });
    }),
  );
  return all.flat();
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(fileURLToPath(new URL(`${folder}/`, root)));
  return names.filter((name) => name.endsWith('.yaml')).map((name) => `${folder}/${name}`);
}

/** True if everything in the first is in the second, which may have more: the server fills in what was left out. */
export function isContained(wanted: unknown, present: unknown): boolean {
  if (Array.isArray(wanted)) {
    const { length } = wanted;
    return (
      Array.isArray(present) && present.length === length && wanted.every((each, i) => isContained(each, present[i]))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === present;
  if (typeof present !== 'object' || present === null) return false;
  return Object.entries(wanted).every(([key, value]) => isContained(value, (present as Record<string, unknown>)[key]));
}
