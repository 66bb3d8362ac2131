import { fileURLToPath } from 'node:url';
import { pythonWith } from '../python/environment.ts';

export const requirementsPath = fileURLToPath(new URL('./requirements.txt', import.meta.url));

/** Installs the AWS command line into the cache folder unless it is there, and returns the Python that runs it. */
export function installAwsCli(progress: (line: string) => void): Promise<string> {
  return pythonWith({ name: 'the AWS command line', path: requirementsPath, folder: 'aws-cli', seconds: 25 }, progress);
}
