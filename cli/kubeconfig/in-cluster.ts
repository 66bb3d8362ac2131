import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NoAccess } from '../../lib/kubernetes/access/no-access.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import type { Context } from './context.ts';
import { tokenFrom } from './token-file.ts';

const defaultFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The cluster in which this process runs, as its Pod's service account; undefined elsewhere. */
export function inCluster(
  { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port }: NodeJS.ProcessEnv,
  folder = defaultFolder,
): Context | undefined {
  const tokenPath = join(folder, 'token');
  if (!host || !port || !existsSync(tokenPath)) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const authorityPath = join(folder, 'ca.crt');
  const access = async () => {
    const certificateAuthority = await readFile(authorityPath, 'utf8').catch((error: unknown) => {
      throw new NoAccess(new Error(`the certificate authority ${authorityPath} cannot be read: ${errorText(error)}`));
    });
    return { server, certificateAuthority, token: tokenFrom(tokenPath) };
  };
  const namespacePath = join(folder, 'namespace');
  const namespace = existsSync(namespacePath) ? readFileSync(namespacePath, 'utf8').trim() : undefined;
  return { server, namespace, access };
}
