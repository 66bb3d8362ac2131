import { Agent, type RequestOptions, request } from 'node:https';
import { realClock } from '../clock.ts';
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

export interface RawAnswer {
  status: number;
  body: Buffer;
}

/** An answer that is read as it comes. To stop reading is to slow the server down. */
export interface Stream extends AsyncIterable<Buffer> {
  statusCode?: number | undefined;
}

/** The calls to one API server. */
export interface Api {
  send(call: Call, signal?: AbortSignal): Promise<Answer>;
  sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer>;
  open(call: Call, payload?: string, silenceTimeoutMs?: number, signal?: AbortSignal): Promise<Stream>;
}

const usualAnswerTimeoutMs = 15_000;

/** Kept-alive HTTPS connections to one API server. */
export class Connection implements Api {
  private readonly access: Access;
  private readonly agent: Agent;
  private readonly answerTimeoutMs: number;

  constructor(access: Access, { answerTimeoutMs = usualAnswerTimeoutMs }: { answerTimeoutMs?: number } = {}) {
    if (!access.server.startsWith('https://')) {
      throw new Error(`the API server's address must start with https://, but is ${access.server}`);
    }
    this.access = access;
    this.answerTimeoutMs = answerTimeoutMs;
    this.agent = new Agent({
      keepAlive: true,
      maxSockets: 50,
      ca: access.certificateAuthority,
      cert: access.clientCertificate,
      key: access.clientKey,
    });
  }

  /** One call, whole answer in memory. */
  async send(call: Call, signal?: AbortSignal): Promise<Answer> {
    const { status, body } = await this.sendForBytes(call, signal);
    return { status, body: body.toString('utf8') };
  }

  /** As `send`, for an answer that is not to be made a text first. */
  async sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer> {
    const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
    const response = await this.open(call, payload, this.answerTimeoutMs, signal);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer);
    } catch (cause) {
      throw unreachable(this.access.server, cause);
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(chunks) };
  }

  /** Opens a call whose answer is read as it comes, as a watch is. */
  async open(call: Call, payload?: string, silenceTimeoutMs = 0, signal?: AbortSignal) {
    const options = await this.options(call, payload, signal);
    return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const outgoing = request(new URL(call.path, this.access.server), { ...options, ...(signal ? { signal } : {}) });
      // The socket's own limit begins with the connection, which a network that drops packets never makes.
      const noAnswer = () => outgoing.destroy(new Error(`no answer in ${this.answerTimeoutMs} ms`));
      const unanswered = setTimeout(noAnswer, this.answerTimeoutMs);
      outgoing.on('response', (response) => {
        clearTimeout(unanswered);
        resolve(response);
      });
      outgoing.on('error', (cause) => {
        clearTimeout(unanswered);
        reject(unreachable(this.access.server, cause));
      });
      if (silenceTimeoutMs > 0) {
        outgoing.setTimeout(silenceTimeoutMs, () => outgoing.destroy(new Error(`silent for ${silenceTimeoutMs} ms`)));
      }
      outgoing.end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }

  /** A token may come from somewhere that does not answer. */
  private async inTime<T>(preparing: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const over = new AbortController();
    const given = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const late = realClock.pause(this.answerTimeoutMs, given).then(() => {
      throw unreachable(this.access.server, new Error(`no token in ${this.answerTimeoutMs} ms`));
    });
    // Whoever comes second is not waited for.
    late.catch(() => {});
    return Promise.race([preparing, late]).finally(() => over.abort());
  }

  private async options(call: Call, payload: string | undefined, signal?: AbortSignal): Promise<RequestOptions> {
    const token = this.access.token && (await this.inTime(this.access.token(), signal));
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
