import { type ClientRequest, Agent as PlainAgent, request as requestPlainly } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { type HttpAnswer, readHttpAnswer } from './http-answer.ts';
import { SendError } from './send-error.ts';
import type { Headers } from './signature.ts';

export interface Post {
  address: URL;
  headers: Headers;
  body: string;
  /** The maximum duration, from requesting a connection to the end of the response. */
  limitMs: number;
}

/** Calls beyond this many wait for a connection, within their time limit. */
const agentOptions = { keepAlive: true, maxSockets: 64 };

/** Posts over kept-alive connections, each call within a time limit. */
export class Poster {
  private readonly plain = new PlainAgent(agentOptions);
  private readonly secure = new SecureAgent(agentOptions);
  /** The function that aborts each call in progress with an error. */
  private readonly underWay = new Set<(reason: SendError) => void>();
  private readonly used = new WeakSet<Socket>();
  private isClosed = false;

  async post(post: Post): Promise<HttpAnswer> {
    const { origin } = post.address;
    if (this.isClosed) throw closed();
    const untilMs = performance.now() + post.limitMs;
    for (;;) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) throw tooLateFor(origin);
      const call = this.request(post);
      let isReused = false;
      // Node's own `reusedSocket` is not set for a socket that the call waited for.
      call.once('socket', (socket) => {
        isReused = this.used.has(socket);
        this.used.add(socket);
      });
      try {
        return await this.exchange(call, post.body, leftMs, () => tooLateFor(origin));
      } catch (cause) {
        if (cause instanceof SendError) throw cause;
        // A kept connection that turns out to be closed is replaced by the next one, until one is new.
        if (!isReused || !wasStale(cause)) throw unreachable(origin, cause);
      }
    }
  }

  /** Calls in progress fail at once. */
  close(): void {
    this.isClosed = true;
    for (const giveUp of this.underWay) giveUp(closed());
    this.plain.destroy();
    this.secure.destroy();
  }

  private request({ address, headers }: Post): ClientRequest {
    const options = { ...urlToHttpOptions(address), method: 'POST', headers };
    if (address.protocol === 'http:') return requestPlainly({ ...options, agent: this.plain });
    return requestSecurely({ ...options, agent: this.secure });
  }

  /**
   * A call that still waits for a connection only notices that it was destroyed once it has one: so it is not awaited.
   */
  private exchange(call: ClientRequest, body: string, leftMs: number, tooLate: () => SendError): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const giveUp = (reason: SendError) => {
      reject(reason);
      call.destroy();
    };
    const timer = setTimeout(() => giveUp(tooLate()), leftMs);
    this.underWay.add(giveUp);
    readHttpAnswer(call, body).then(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      this.underWay.delete(giveUp);
    });
  }
}

/**
 * SQS closes connections that were idle for a while, and a call may just be in flight then. Sending it again is safe
 * even if it did arrive: a queue accepts a message of the same deduplication id once.
 */
function wasStale(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function tooLateFor(origin: string): SendError {
  return new SendError(`${origin} did not send a complete response in time: check the network path to it`, {
    code: 'TimeLimit',
  });
}

function unreachable(origin: string, cause: unknown): SendError {
  const { code = 'CutOff', message } = cause as NodeJS.ErrnoException;
  const advice = 'check that the queue address is right and reachable from here';
  return new SendError(`the call to ${origin} failed: ${message}; ${advice}`, { code, cause });
}

function closed(): SendError {
  return new SendError('the sender is closed: create a new one', { code: 'Closed' });
}
