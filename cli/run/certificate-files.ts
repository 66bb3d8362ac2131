import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { errorText } from '../../lib/runtime/error-text.ts';

export interface CertificatePaths {
  certificate: string;
  key: string;
}

interface Pair {
  cert: string;
  key: string;
}

interface Watcher {
  replaced(pair: Pair): void;
  /** They are read while somebody writes them, for example: the former ones stay in use. */
  failed(error: unknown): void;
}

/**
 * A certificate and its key in files that somebody replaces before the certificate ends, such as cert-manager. Their
 * contents are compared: in a mounted Secret they change by a symbolic link above them, which is not noticed everywhere.
 */
export class CertificateFiles {
  private readonly paths: CertificatePaths;
  private present: Pair | undefined;
  private problem: string | undefined;

  constructor(paths: CertificatePaths) {
    this.paths = paths;
  }

  /** Throws if they cannot be used. */
  async read(): Promise<Pair> {
    const { certificate, key } = this.paths;
    const pair = { cert: await textIn('certificate', certificate), key: await textIn('key', key) };
    try {
      requireFit(pair);
    } catch (error) {
      throw new Error(`${certificate} and ${key} cannot be used together: ${errorText(error)}`);
    }
    this.present = pair;
    return pair;
  }

  /** Looks again each time, until the function that is returned is called. */
  watch(everyMs: number, watcher: Watcher): () => void {
    const timer = setInterval(() => this.look(watcher), everyMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  private async look({ replaced, failed }: Watcher): Promise<void> {
    const before = this.present;
    try {
      const pair = await this.read();
      this.problem = undefined;
      if (pair.cert !== before?.cert || pair.key !== before.key) replaced(pair);
    } catch (error) {
      // Each problem is told once.
      if (this.problem !== String(error)) failed(error);
      this.problem = String(error);
    }
  }
}

/** TLS itself takes an empty file for no certificate, and then nobody can connect: it may be one that is being written. */
function requireFit(pair: Pair): void {
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
    throw new Error('the key is that of another certificate');
  }
  createSecureContext(pair);
}

async function textIn(what: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`the ${what} of --admission cannot be read: ${errorText(error)}`);
  }
}
