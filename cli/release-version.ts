import { readFile } from 'node:fs/promises';
import { packageFile } from './package-file.ts';

/** The release, which is to be the one that is deployed. */
export async function releaseVersion(): Promise<string> {
  const text = await readFile(packageFile('package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
