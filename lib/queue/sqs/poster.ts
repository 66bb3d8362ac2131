import { headerLine } from '../../http/header-line.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import type { HttpAnswer } from './http-answer.ts';
import { SendError } from './send-error.ts';
import type { Headers } from './signature.ts';

export interface Post {
  address: URL;
  headers: Headers;
  body: string;
  /** How long it may take, from asking for a connection to the end of the answer. */
  limitMs: number;
}

/**
 * Posts over kept-alive connections, each call within a time limit. It speaks the little of HTTP/1.1 that this takes by
 * itself, because node:http was measured to cost three times as much a call: 46 to 70 µs against 18 to 27, of which 10 are
 * the system's.
 */
export class Poster {
  private readonly places = new Map<string, Connections>();
  private isClosed = false;

  async post(post: Post): Promise<HttpAnswer> {
    const { origin } = post.address;
    if (this.isClosed) throw closed();
    if (post.limitMs <= 0) throw tooLateFor(origin);
    const call: CallUnderWay = { isTooLate: false, giveUp: () => {} };
    const timer = setTimeout(() => {
      call.isTooLate = true;
      call.giveUp();
    }, post.limitMs);
    try {
      return await this.exchange(post, call);
    } catch (cause) {
      if (call.isTooLate) throw tooLateFor(origin);
      throw this.isClosed ? closed(cause) : unreachable(origin, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is under way fails at once. */
  close(): void {
    this.isClosed = true;
    for (const connections of this.places.values()) connections.close();
  }

  private async exchange(post: Post, call: CallUnderWay): Promise<HttpAnswer> {
    const request = textOf(post);
    const connections = this.connectionsTo(post.address);
    for (;;) {
      const connection = connections.take() ?? (await nextOf(connections, call));
      const { isReused } = connection;
      call.giveUp = () => connection.destroy();
      try {
        return await connection.exchange(request);
      } catch (error) {
        // A kept connection that turns out to be closed is replaced by the next one, until one is new.
        if (call.isTooLate || this.isClosed || !isReused || !wasStale(error)) throw error;
      }
    }
  }

  private connectionsTo(address: URL): Connections {
    const known = this.places.get(address.origin);
    if (known) return known;
    const connections = new Connections(address);
    this.places.set(address.origin, connections);
    return connections;
  }
}

interface CallUnderWay {
  isTooLate: boolean;
  giveUp: () => void;
}

function nextOf(connections: Connections, call: CallUnderWay): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const leave = connections.wait((connection) => {
      if (connection) resolve(connection);
      else reject(new Error('closed before there was a connection'));
    });
    call.giveUp = () => {
      leave();
      reject(new Error('no connection in time'));
    };
  });
}

function textOf({ address, headers, body }: Post): string {
  let text = `POST ${address.pathname} HTTP/1.1\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    text += headerLine(headers[index] ?? '', headers[index + 1] ?? '');
  return `${text}\r\n${body}`;
}

/**
 * SQS closes connections that were idle for a while, and a call may just be on its way then. Sending it again is safe even
 * if it did arrive: a queue takes a message of the same deduplication id once.
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

function closed(cause?: unknown): SendError {
  return new SendError('the sender is closed: create a new one', { code: 'Closed', cause });
}
