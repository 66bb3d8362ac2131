import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for everything that is slow to create: the control plane's programs and the local AWS. */
export function cacheFolder(environment: Record<string, string | undefined> = process.env): string {
  if (environment.LONGSHORE_CACHE) return environment.LONGSHORE_CACHE;
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'longshore');
}
