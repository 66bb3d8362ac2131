import { readFile } from 'node:fs/promises';
import { NoAccess } from '../../lib/kubernetes/access/no-access.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { errorText } from '../../lib/runtime/error-text.ts';

/** Whoever writes such a file replaces it long before the token in it ends. */
const readAgainMs = 60_000;

/** The token in a file, which is read again each minute. */
export function tokenFrom(path: string, clock = realClock): () => Promise<string> {
  let kept: { token: string; atMs: number } | undefined;
  return async () => {
    const nowMs = clock.elapsedMs();
    if (kept && nowMs - kept.atMs < readAgainMs) return kept.token;
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw new NoAccess(new Error(`the token file ${path} cannot be read: ${errorText(error)}`));
    });
    const token = text.trim();
    if (token === '') throw new NoAccess(new Error(`the token file ${path} is empty`));
    kept = { token, atMs: nowMs };
    return token;
  };
}
