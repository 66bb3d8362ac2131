import type { IncomingMessage } from 'node:http';
import { Agent, type AgentOptions, request } from 'node:https';
import { realClock } from '../runtime/clock.ts';
import { errorText } from '../runtime/error-text.ts';
import { defaultMegabytes, type Memory, MemoryBudget, TooLarge } from '../runtime/memory/budget.ts';
import { traceHeaders } from '../runtime/tracing.ts';
import type { Access } from './access/api-access.ts';
import type { Answer, Api, Call, RawAnswer, Stream } from './api.ts';
import { CallLimit } from './call-limit.ts';
import { ClusterError } from './errors.ts';
import { type ServerAddress, serverAddress } from './server-address.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { wholeOf } from './whole-answer.ts';

export type { Answer, Api, Call, RawAnswer, Stream } from './api.ts';

export interface ConnectionOptions {
  answerTimeoutMs?: number;
  /** The maximum duration of a whole call, however its response arrives. */
  callTimeoutMs?: number;
  /** The share whose memory responses take, if a call does not name one. */
  share?: Memory;
  /** The caller, for the server's audit log. */
  userAgent?: string;
  /** The user as whom the server is to judge the calls. */
  impersonate?: string;
}

const defaultAnswerTimeoutMs = 15_000;
const defaultCallTimeoutMs = 30_000;
/** This much of a stream may wait to be read before the server is slowed down. */
const maxWaitingBytes = 256 * 1024;
/**
 * The messages of a batch of ten read several objects each at a time, and a new connection costs both sides more than a call.
 * The server decides how long they stay open. A process that knows twenty clusters has 1,024 file descriptors.
 */
const maxFreeSockets = 25;
/**
 * No object of an API server is longer as JSON: etcd accepts 1.5 MiB, of which annotations (up to 256 KiB) may grow
 * sixfold when they are written as JSON. A longer page of a list is requested with fewer objects.
 */
export const maxAnswerBytes = 4 * 1024 * 1024;
/** Responses that are read as text, such as a Lease or a list of kinds, are short. */
const maxTextBytes = 1024 * 1024;

/** Kept-alive HTTPS connections to one API server. */
export class Connection implements Api {
  private readonly access: Access;
  private readonly address: ServerAddress;
  private readonly agent: Agent;
  /** Each watch has a separate connection, which is not reused. */
  private readonly streams: Agent;
  private readonly answerTimeoutMs: number;
  private readonly callTimeoutMs: number;
  private readonly share: Memory;
  private readonly userAgent: string;
  private readonly impersonate: string | undefined;
  private isClosed = false;

  constructor(access: Access, options: ConnectionOptions = {}) {
    const { answerTimeoutMs = defaultAnswerTimeoutMs, callTimeoutMs = defaultCallTimeoutMs } = options;
    const { userAgent = 'longshore', share = new MemoryBudget(defaultMegabytes).clusterShare() } = options;
    this.access = access;
    this.address = serverAddress(access.server);
    this.answerTimeoutMs = answerTimeoutMs;
    this.callTimeoutMs = callTimeoutMs;
    this.share = share;
    this.userAgent = userAgent;
    this.impersonate = options.impersonate;
    const trust = { ca: access.certificateAuthority, cert: access.clientCertificate, key: access.clientKey };
    this.agent = new Agent({ ...trust, keepAlive: true, maxSockets: 50, maxFreeSockets });
    this.streams = new Agent({ ...trust, keepAlive: false, highWaterMark: maxWaitingBytes } as AgentOptions);
  }

  /** One call, with the whole response in memory. */
  async send(call: Call, signal?: AbortSignal): Promise<Answer> {
    const { status, body, held } = await this.sendForBytes({ maxBytes: maxTextBytes, ...call }, signal);
    held?.release();
    return { status, body: body.toString('utf8') };
  }

  /** Like `send`, for a response that is not converted to a string first. */
  async sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer> {
    const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = await this.headers(call, payload, signal);
    try {
      const { agent, answerTimeoutMs: silenceMs } = this;
      const response = await this.request(call, { agent, headers, payload, silenceMs, signal });
      return { status: response.statusCode ?? 0, ...(await this.readWhole(response, call, signal)) };
    } catch (cause) {
      if (cause instanceof TooLarge) throw oversized(this.access.server, cause);
      throw unreachable(this.access.server, cause);
    }
  }

  private async readWhole(
    response: IncomingMessage,
    { maxBytes = maxAnswerBytes, share = this.share }: Call,
    signal?: AbortSignal,
  ) {
    const limit = new CallLimit(response, this.callTimeoutMs, this.answerTimeoutMs);
    try {
      const [pause, resume] = [() => limit.pause(), () => limit.resume()];
      return await wholeOf(response, { maxBytes, share, signal, pause, resume });
    } finally {
      limit.end();
    }
  }

  /** Opens a call whose response is read as it arrives, such as a watch. */
  async open(call: Call, silenceTimeoutMs = 0, signal?: AbortSignal): Promise<Stream> {
    const headers = await this.headers(call, undefined, signal);
    const explain = (cause: unknown) => unreachable(this.access.server, cause);
    try {
      if (this.isClosed) throw new Error('its connection is closed');
      const sent = { agent: this.streams, headers, payload: undefined, silenceMs: 0, signal };
      return new StreamedAnswer(await this.request(call, sent), { silenceTimeoutMs, signal, explain });
    } catch (cause) {
      throw explain(cause);
    }
  }

  /** It is not used for new calls: idle connections are closed at once, others when their calls have ended. */
  retire(): void {
    this.agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.isClosed = true;
    this.agent.destroy();
    this.streams.destroy();
  }

  private request(call: Call, { agent, headers, payload, silenceMs, signal }: Outgoing): Promise<IncomingMessage> {
    const { method, path } = call;
    const options = { method, agent, headers, ...(signal ? { signal } : {}) };
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(`${this.address.prefix}${path}`, this.address.url), options);
      // The socket's own timeout begins with the connection, which a network that drops packets never establishes.
      const noAnswer = () => outgoing.destroy(new Error(`no answer in ${this.answerTimeoutMs} ms`));
      const unanswered = setTimeout(noAnswer, this.answerTimeoutMs);
      outgoing.on('response', (response) => {
        clearTimeout(unanswered);
        resolve(response);
      });
      outgoing.on('error', (cause) => {
        clearTimeout(unanswered);
        reject(cause);
      });
      // A server that switches protocols sends neither a response nor an error, and could not be aborted any more.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('it responds with another protocol'));
      });
      outgoing.on('close', () => {
        clearTimeout(unanswered);
        reject(new Error('it closed the connection without a response'));
      });
      const silent = new Error(`silent for ${silenceMs} ms`);
      if (silenceMs > 0) outgoing.setTimeout(silenceMs, () => outgoing.destroy(silent));
      outgoing.end(payload);
    });
  }

  /** A token may come from a service that does not respond. */
  private async inTime<T>(preparing: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const over = new AbortController();
    const given = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    const late = realClock.pause(this.answerTimeoutMs, given).then(() => {
      throw unreachable(this.access.server, new Error(`no token in ${this.answerTimeoutMs} ms`));
    });
    // The loser of the race is ignored.
    late.catch(() => {});
    return Promise.race([preparing, late]).finally(() => over.abort());
  }

  private async headers(call: Call, payload: string | undefined, signal?: AbortSignal): Promise<Headers> {
    const token = this.access.token && (await this.inTime(this.access.token(), signal));
    return {
      accept: call.accept ?? 'application/json',
      'user-agent': this.userAgent,
      ...(this.impersonate ? { 'impersonate-user': this.impersonate } : {}),
      ...(call.traceparent ? traceHeaders(call.traceparent) : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(payload === undefined
        ? {}
        : {
            'content-type': call.contentType ?? 'application/json',
            'content-length': String(Buffer.byteLength(payload)),
          }),
    };
  }
}

type Headers = Record<string, string>;

interface Outgoing {
  agent: Agent;
  headers: Headers;
  payload: string | undefined;
  /** The maximum silence of the connection, also while the response arrives; unlimited if zero. */
  silenceMs: number;
  signal: AbortSignal | undefined;
}

function unreachable(server: string, cause: unknown): ClusterError {
  const reason = errorText(cause);
  return new ClusterError('unreachable', `the API server at ${server} cannot be reached: ${reason}`, undefined, cause);
}

function oversized(server: string, cause: TooLarge): ClusterError {
  return new ClusterError(
    'oversized',
    `the API server at ${server} did not complete its response: ${cause.message}`,
    undefined,
    cause,
  );
}
