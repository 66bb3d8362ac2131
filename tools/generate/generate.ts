import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Output, outputs } from './outputs.ts';

const root = new URL('../../', import.meta.url);

/** The outputs that differ from the files in the repository. */
export function different(): Output[] {
  return outputs.filter(({ path, make }) => make(read(path)) !== read(path));
}

/** Writes each output that differs, and returns their paths. */
export function generate(): string[] {
  return outputs.flatMap(({ path, make }) => {
    const present = read(path);
    const text = make(present);
    if (text === present) return [];
    writeFileSync(new URL(path, root), text);
    return [path];
  });
}

function read(path: string): string {
  const file = new URL(path, root);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
