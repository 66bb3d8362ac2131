import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file of the repository or of the installed package, by its path in either: package.json and the manifests have the same
 * ones in both, while the modules of the package are bundled into one folder.
 */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('longshore is not installed as a whole: its package.json is missing');
    folder = parent;
  }
  return join(folder, path);
}
