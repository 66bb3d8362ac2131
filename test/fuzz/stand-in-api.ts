import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { mergePatch } from '../simulation/merge-patch.ts';
import { readPath } from './api-path.ts';
import { type Spoiling, spoiled } from './hostile-answers.ts';

export interface ServedObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string };
}

export interface Asked {
  method: string;
  /** With the query, as it came. */
  url: string;
  body: unknown;
}

const certificate = selfSignedCertificate();

/**
 * The API server of one cluster, as far as HTTP goes: it serves the objects that it is given by their paths, takes every
 * write, and keeps account of all that it was asked. It knows nothing of the product's own terms.
 */
export class StandInApi {
  readonly asked: Asked[] = [];
  private readonly given: ReadonlyMap<string, ServedObject>;
  private present: Map<string, ServedObject>;
  private spoilings: readonly Spoiling[] = [];
  private readonly server: Server;

  constructor(given: ReadonlyMap<string, ServedObject>) {
    this.given = given;
    this.present = new Map(given);
    this.server = createServer(certificate, async (incoming, outgoing) => {
      const { method = '', url = '' } = incoming;
      const body = method === 'GET' ? undefined : JSON.parse(await text(incoming));
      this.asked.push({ method, url, body });
      const [path = '', query = ''] = url.split('?');
      if (query.includes('watch=') && this.watch(path, outgoing)) return;
      const usual = this.answer(method, path, body, new URLSearchParams(query));
      const { status, text: said } = spoiled(this.spoilings[this.asked.length % this.spoilings.length], usual);
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(said);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Everything is as in the beginning, and nothing has been asked. */
  begin(): void {
    this.asked.length = 0;
    this.present = new Map(this.given);
    this.spoilings = [];
  }

  /** From now on, until everything begins anew. */
  spoil(spoilings: readonly Spoiling[]): void {
    this.spoilings = spoilings;
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

  /** Whether it answers a watch as a server does; as it is, it answers like a list. */
  protected watch(_path: string, _outgoing: ServerResponse): boolean {
    return false;
  }

  protected answer(
    method: string,
    path: string,
    body: unknown,
    _query: URLSearchParams,
  ): { status: number; answer: object } {
    const of = path.replace(/\/status$/, '');
    const found = this.present.get(of);
    if (method === 'GET' && readPath(path)?.name === undefined) return { status: 200, answer: this.collection(path) };
    if (method === 'GET') return found ? { status: 200, answer: found } : missing(path);
    if (method === 'POST') return { status: 201, answer: this.make(path, mergePatch(body, made) as ServedObject) };
    if (!found) return missing(path);
    if (method === 'DELETE') return { status: 200, answer: { kind: 'Status', status: 'Success' } };
    return { status: 200, answer: this.keep(of, mergePatch(found, body) as ServedObject) };
  }

  private make(collection: string, object: ServedObject): ServedObject {
    return this.keep(`${collection}/${object.metadata.name}`, object);
  }

  private keep(path: string, object: ServedObject): ServedObject {
    this.present.set(path, object);
    return object;
  }

  private collection(path: string): object {
    const isOf = (each: string) => each.startsWith(`${path}/`) && !each.slice(path.length + 1).includes('/');
    return { items: [...this.present].filter(([each]) => isOf(each)).map(([, object]) => object) };
  }
}

const made = { metadata: { uid: 'uid-of-what-was-made', resourceVersion: '1' } };

function missing(path: string): { status: number; answer: object } {
  const answer = { kind: 'Status', status: 'Failure', reason: 'NotFound', message: `${path} is not there`, code: 404 };
  return { status: 404, answer };
}
