import { readFile } from 'node:fs/promises';
import { NoAccess } from './no-access.ts';

/** A store that does not respond must not delay callers for longer than the API server may. */
const settings = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
};

/** Reads a secret from an operator's store: `secretsmanager:<name>`, `ssm:<name>` or `file:<path>`. */
export async function readSecret(from: string): Promise<string> {
  const [store, ...rest] = from.split(':');
  const name = rest.join(':');
  const text = await readFrom(store, name, from).catch((error: unknown) => {
    // AWS's error may contain all that it was sent, and callers may fail with the error that is thrown here.
    throw new NoAccess(error);
  });
  if (!text) throw new Error(`${from} is empty`);
  return text;
}

/** Only the client that is needed is loaded: with access to EKS none is, and they are half of a bundle. */
async function readFrom(store: string | undefined, name: string, from: string): Promise<string | undefined> {
  switch (store) {
    case 'secretsmanager': {
      const { readSecretString } = await import('./secrets-manager.ts');
      return readSecretString(name, settings);
    }
    case 'ssm': {
      const { readParameter } = await import('./ssm-parameter.ts');
      return readParameter(name, settings);
    }
    case 'file':
      return readFile(name, 'utf8');
    default:
      throw new Error(`${JSON.stringify(from)} must start with secretsmanager:, ssm: or file:`);
  }
}
