import { readFile } from 'node:fs/promises';

/** The release, which is to be the one that is deployed. */
export async function releaseVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
