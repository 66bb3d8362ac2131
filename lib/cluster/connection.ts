import { Agent, type RequestOptions, request } from 'node:https';
import { ClusterError } from './errors.ts';

/** Where an API server is and how to prove who we are. TLS is always verified: there is no switch to turn it off. */
export interface Access {
  server: string;
  /** PEM; without it the system's certificate authorities are trusted. */
  certificateAuthority?: string;
  clientCertificate?: string;
  clientKey?: string;
  /** Asked for each request, so that a token can be renewed before it expires. */
  token?: () => Promise<string>;
}

export interface Answer {
  status: number;
  body: string;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  contentType?: string;
  /** Another form of the answer than the whole object. */
  accept?: string;
}

const answerTimeoutMs = 15_000;

/** Kept-alive HTTPS connections to one API server. */
export class Connection {
  private readonly access: Access;
  private readonly agent: Agent;

  constructor(access: Access) {
    if (!access.server.startsWith('https://')) {
      throw new Error(`the API server's address must start with https://, but is ${access.server}`);
    }
    this.access = access;
    this.agent = new Agent({
      keepAlive: true,
      maxSockets: 50,
      ca: access.certificateAuthority,
      cert: access.clientCertificate,
      key: access.clientKey,
    });
  }

  /** One call, whole answer in memory. */
  async send(call: Call): Promise<Answer> {
    const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
    const response = await this.open(call, payload, answerTimeoutMs);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer);
    } catch (cause) {
      throw unreachable(this.access.server, cause);
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
  }

  /** Opens a call whose answer is read as it comes, as a watch is. */
  async open(call: Call, payload?: string, silenceTimeoutMs = 0, signal?: AbortSignal) {
    const options = await this.options(call, payload);
    return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const outgoing = request(new URL(call.path, this.access.server), { ...options, ...(signal ? { signal } : {}) });
      outgoing.on('response', resolve);
      outgoing.on('error', (cause) => reject(unreachable(this.access.server, cause)));
      if (silenceTimeoutMs > 0) {
        outgoing.setTimeout(silenceTimeoutMs, () => outgoing.destroy(new Error(`silent for ${silenceTimeoutMs} ms`)));
      }
      outgoing.end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private async options(call: Call, payload: string | undefined): Promise<RequestOptions> {
    const token = await this.access.token?.();
    return {
      method: call.method,
      agent: this.agent,
      headers: {
        accept: call.accept ?? 'application/json',
        'user-agent': 'longshore',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(payload === undefined
          ? {}
          : { 'content-type': call.contentType ?? 'application/json', 'content-length': Buffer.byteLength(payload) }),
      },
    };
  }
}

function unreachable(server: string, cause: unknown): ClusterError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ClusterError('unreachable', `the API server at ${server} cannot be reached: ${reason}`);
}
