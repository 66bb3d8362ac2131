import { readFile, writeFile } from 'node:fs/promises';
import { findPython } from '../python.ts';
import { indexOf } from './package-index.ts';
import { withHashes } from './with-hashes.ts';

/**
 * Writes the checksums of all packages into requirements files, as the package index of pip reports them now: `npx node
 * tools/python/hashes/main.ts <requirements.txt> …`, after a version was changed.
 */
const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('usage: npx node tools/python/hashes/main.ts <requirements.txt> …');
  process.exit(1);
}
const { command } = await findPython();
const index = await indexOf(command);
for (const path of paths) await writeFile(path, await withHashes(await readFile(path, 'utf8'), index));
