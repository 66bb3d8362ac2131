import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { krewManifest } from './krew.ts';

export interface PackOptions {
  /** The folder of the repository. */
  root: string;
  name: string;
  version: string;
  /** The address of the folder from which the files will be downloaded; without it there is no manifest for krew. */
  downloads?: string | undefined;
}

const folderName = '.release';

/** Puts the command as an npm package, the sources, the manifest for krew and the checksums into `.release/`. */
export function pack({ root, name, version, downloads }: PackOptions): string[] {
  const folder = join(root, folderName);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const packed = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (packed === undefined) throw new Error(`npm run package packed nothing for ${version}`);
  const [prefix, sources] = [`${name}-${version}/`, join(folderName, `${name}-${version}-sources.tar.gz`)];
  execFileSync('git', ['archive', `--prefix=${prefix}`, '--output', sources, 'HEAD'], { cwd: root });
  if (downloads !== undefined) {
    const uri = `${downloads.replace(/\/+$/, '')}/${packed}`;
    const manifest = krewManifest({ version, uri, sha256: sumOf(join(folder, packed)) });
    writeFileSync(join(folder, `${name}.yaml`), manifest);
  }
  const files = readdirSync(folder).sort();
  const sums = files.map((file) => `${sumOf(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return [...files, 'SHA256SUMS'].map((file) => join(folderName, file));
}

function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
