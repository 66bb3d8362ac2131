import { fileURLToPath } from 'node:url';
import { pythonWith } from '../python/environment.ts';

/** The only file with versions. */
export const requirementsPath = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/** Installs the local AWS into the cache folder unless it is there, and returns the Python that runs it. */
export function installLocalAws(progress: (line: string) => void): Promise<string> {
  return pythonWith({ name: 'the local AWS', path: requirementsPath, folder: 'local-aws', seconds: 15 }, progress);
}
