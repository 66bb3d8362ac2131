import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resources } from '../../lib/kubernetes/resources.ts';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { readPath } from '../fuzz/api-path.ts';
import { fixtures } from '../fuzz/fixtures.ts';
import type { HostileInput } from './hostile-inputs.ts';

const certificate = selfSignedCertificate();

/**
 * An API server in hostile hands. Of each object it has what leads a handler on, as the other clusters have it, and with that
 * whatever is to harm the function.
 */
export class HostileApi {
  input: HostileInput | undefined;
  asked = 0;
  private readonly server: Server;

  constructor() {
    this.server = createServer(certificate, (incoming, outgoing) => {
      this.asked += 1;
      incoming.resume();
      this.answer(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  kubeconfig(): string {
    const { port } = this.server.address() as AddressInfo;
    const authority = Buffer.from(certificate.cert).toString('base64');
    const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': authority };
    return JSON.stringify({
      'current-context': 'all',
      contexts: [{ name: 'all', context: { cluster: 'all', user: 'all' } }],
      clusters: [{ name: 'all', cluster }],
      users: [{ name: 'all', user: { token: 'token' } }],
    });
  }

  private async answer({ method, url = '' }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { input } = this;
    const [path = ''] = url.split('?');
    if (/^\/apis\/[^/]+\/[^/]+$/.test(path)) {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(everything);
      return;
    }
    const named = readPath(path);
    if (!input || !named || path.endsWith('/configmaps/longshore')) {
      outgoing.writeHead(404, { 'content-type': 'application/json' }).end(missing);
      return;
    }
    const found = fixtures.get(path.replace(/\/status$/, '')) ?? generic;
    const isList = method === 'GET' && named.name === undefined;
    const limit = Number(new URLSearchParams(url.split('?')[1] ?? '').get('limit') ?? 0);
    outgoing.writeHead(input.status ?? 200, { 'content-type': 'application/json' });
    for await (const block of input.answer(JSON.stringify(found), { isList, limit: limit || 1_000 })) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(block)) {
        const over = new AbortController();
        const { signal } = over;
        // Whichever comes first: nobody reads on after the end.
        await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]).finally(() =>
          over.abort(),
        );
      }
    }
    outgoing.end();
  }
}

const everything = JSON.stringify({ resources: Object.values(resources).map(({ plural }) => ({ name: plural })) });
const missing = JSON.stringify({ kind: 'Status', reason: 'NotFound', message: 'it is not there', code: 404 });
const generic = { metadata: { name: 'anything', namespace: 'prod', uid: 'uid-of-anything', resourceVersion: '1' } };
