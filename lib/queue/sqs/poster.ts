import * as http from 'node:http';
import * as https from 'node:https';
import { SendError } from './send-error.ts';
import type { Headers } from './signature.ts';

export interface HttpAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Post {
  address: URL;
  headers: Headers;
  /** A text goes out in one piece with the headers, which bytes would not. */
  body: string;
  /** How long it may take, from asking for a connection to the end of the answer. */
  limitMs: number;
}

/** Calls beyond this many wait for a connection, within their time limit. */
const mostConnections = 64;

/** Posts over kept-alive connections, each call within a time limit. */
export class Poster {
  private readonly plainAgent = new http.Agent({ keepAlive: true, maxSockets: mostConnections });
  private readonly secureAgent = new https.Agent({ keepAlive: true, maxSockets: mostConnections });
  private isClosed = false;

  async post(post: Post): Promise<HttpAnswer> {
    if (this.isClosed) throw new SendError('the sender is closed: make a new one', { code: 'Closed' });
    const { origin } = post.address;
    if (post.limitMs <= 0) throw tooLateFor(origin);
    let outgoing = this.open(post);
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      outgoing.destroy();
    }, post.limitMs);
    try {
      try {
        return await exchange(outgoing, post.body);
      } catch (cause) {
        if (isTooLate || this.isClosed || !wasStale(outgoing, cause)) throw cause;
        outgoing = this.open(post);
        return await exchange(outgoing, post.body);
      }
    } catch (cause) {
      if (!isTooLate) throw this.isClosed ? closedMeanwhile(cause) : unreachable(origin, cause);
      throw tooLateFor(origin);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is under way fails at once. */
  close(): void {
    this.isClosed = true;
    this.plainAgent.destroy();
    this.secureAgent.destroy();
  }

  private open({ address, headers }: Post): http.ClientRequest {
    const isSecure = address.protocol === 'https:';
    const options: https.RequestOptions = {
      method: 'POST',
      // An address of version 6 stands in brackets in a URL, which the resolver does not know.
      host: address.hostname.replace(/^\[|\]$/g, ''),
      port: address.port,
      path: address.pathname,
      headers,
      agent: isSecure ? this.secureAgent : this.plainAgent,
    };
    return isSecure ? https.request(options) : http.request(options);
  }
}

function exchange(outgoing: http.ClientRequest, body: string): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (cause) => reject(new Error('its answer was cut off', { cause })));
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    // To write what is plain as such costs a quarter of what it costs to look for characters that are not.
    outgoing.end(body, Buffer.byteLength(body) === body.length ? 'latin1' : 'utf8');
  });
}

/**
 * SQS closes connections that were idle for a while, and a call may just be on its way then. Sending it again is safe even
 * if it did arrive: a queue takes a message of the same deduplication id once.
 */
function wasStale(outgoing: http.ClientRequest, cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException;
  return outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function tooLateFor(origin: string): SendError {
  return new SendError(`${origin} gave no whole answer in time: check the network on the way there`, {
    code: 'TimeLimit',
  });
}

function unreachable(origin: string, cause: unknown): SendError {
  const { code = 'CutOff', message } = cause as NodeJS.ErrnoException;
  const advice = 'check that the queue address is right and reachable from here';
  return new SendError(`the call to ${origin} failed: ${message}; ${advice}`, { code, cause });
}

function closedMeanwhile(cause: unknown): SendError {
  return new SendError('the sender was closed while a call was under way', { code: 'Closed', cause });
}
