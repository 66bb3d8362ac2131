import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { Blocks } from '../http/blocks.ts';
import { Body } from '../http/body.ts';
import { endpointOf } from '../http/endpoint.ts';
import type { Head } from '../http/head.ts';
import { HeadReader } from '../http/head-reader.ts';
import type { Access } from './access/api-access.ts';
import type { Stream } from './api.ts';
import { ReadingRhythm, restMs } from './reading-rhythm.ts';

/** So much may wait to be read before the server is slowed down. */
const maxWaitingBytes = 1024 * 1024;
const readBytes = 64 * 1024;

export interface StreamRequest {
  access: Access;
  /** The request, as it goes out. */
  text: string;
  answerTimeoutMs: number;
  /** Fails when nothing arrives for this long; never, if zero. */
  silenceTimeoutMs: number;
  /** Each of them ends it. */
  signals: AbortSignal[];
  /** Describes the failure for people. */
  explain: (cause: unknown) => Error;
}

/**
 * An answer that is read as it comes, on a connection of its own. It is read into one piece of memory that stays, without
 * node:http: the server sends each change in a packet of its own, and to read one was measured to take 6 to 12 µs with
 * node:https, and 3 to 5 µs so.
 */
export class StreamedAnswer implements Stream {
  private readonly socket: TLSSocket;
  private readonly request: StreamRequest;
  private readonly blocks = new Blocks();
  private readonly headReader = new HeadReader();
  private head: Head | undefined;
  private body: Body | undefined;
  private failure: unknown;
  private isClosed = false;
  /** As much waits to be read as may. */
  private isFull = false;
  private readonly rhythm = new ReadingRhythm();
  private isResting = false;
  private isWaking = false;
  private wake: () => void = () => {};

  static async open(request: StreamRequest): Promise<StreamedAnswer> {
    const answer = new StreamedAnswer(request);
    await answer.untilHead();
    return answer;
  }

  private constructor(request: StreamRequest) {
    const { access, text, silenceTimeoutMs, signals } = request;
    const giveUp = () => this.end(new Error('no one is waiting for it any more'));
    this.request = request;
    const callback = (count: number, buffer: Buffer) => this.read(buffer, count);
    const onread = { buffer: Buffer.allocUnsafeSlow(readBytes), callback };
    const options = { ...secureOptions(access), ALPNProtocols: ['http/1.1'], onread };
    this.socket = connect(options);
    this.socket.setNoDelay(true);
    this.socket.on('error', (error) => this.end(error));
    this.socket.on('end', () => this.end(this.body?.mayEndHere ? undefined : brokenOff()));
    this.socket.on('close', () => {
      for (const signal of signals) signal.removeEventListener('abort', giveUp);
      this.end(this.body?.mayEndHere ? undefined : brokenOff());
    });
    this.socket.on('timeout', () => this.end(new Error(`silent for ${silenceTimeoutMs} ms`)));
    this.socket.setTimeout(silenceTimeoutMs);
    for (const signal of signals) signal.addEventListener('abort', giveUp);
    if (signals.some(({ aborted }) => aborted)) giveUp();
    else this.socket.write(text);
  }

  get statusCode(): number {
    return this.head?.status ?? 0;
  }

  /** Each piece is the reader's until the next one is asked for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (this.blocks.length > 0) yield this.takeAll();
        else if (this.failure !== undefined) throw this.request.explain(this.failure);
        else if (this.isClosed) return;
        else await this.news();
      }
    } finally {
      this.end(undefined);
    }
  }

  private async untilHead(): Promise<void> {
    const { answerTimeoutMs, explain } = this.request;
    // The socket's own limit begins with the connection, which a network that drops packets never makes.
    const noAnswer = () => this.end(new Error(`no answer in ${answerTimeoutMs} ms`));
    const unanswered = setTimeout(noAnswer, answerTimeoutMs);
    while (!this.head && !this.isClosed) await this.news();
    clearTimeout(unanswered);
    if (!this.head) throw explain(this.failure ?? brokenOff());
  }

  private takeAll(): Buffer {
    const taken = this.blocks.take();
    if (this.isFull) {
      this.isFull = false;
      this.socket.setTimeout(this.request.silenceTimeoutMs);
      this.readOn();
    }
    return taken;
  }

  private readOn(): void {
    if (!this.isFull && !this.isResting && !this.isClosed) this.socket.resume();
  }

  private rest(): void {
    this.isResting = true;
    setTimeout(() => {
      this.isResting = false;
      this.readOn();
    }, restMs);
  }

  /** Receives data. Returns whether to continue reading. */
  private read(buffer: Buffer, count: number): boolean {
    if (this.isClosed) return false;
    try {
      if (this.body) this.readBody(this.body, buffer, 0, count);
      else this.readHead(buffer.subarray(0, count));
    } catch (error) {
      this.end(error);
    }
    if (this.body?.isOver) this.end(undefined);
    this.tell();
    this.isFull = this.blocks.length > maxWaitingBytes;
    // While we do not read, the server cannot be blamed.
    if (this.isFull) this.socket.setTimeout(0);
    if (this.rhythm.isCrowded(performance.now()) && !this.isResting) this.rest();
    return !this.isFull && !this.isResting;
  }

  private readHead(bytes: Buffer): void {
    const found = this.headReader.push(bytes);
    if (!found) return;
    this.head = found.head;
    this.body = new Body(this.head);
    this.readBody(this.body, found.bytes, this.head.from, found.bytes.length);
  }

  private readBody(body: Body, bytes: Buffer, start: number, end: number): void {
    body.push(bytes, start, end, (...piece) => this.blocks.add(...piece));
  }

  /** Stops reading. Data that was read before stays available. */
  private end(failure: unknown): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.failure = failure;
    this.socket.destroy();
    this.tell();
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** What arrives together is told together. */
  private tell(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    setImmediate(() => {
      this.isWaking = false;
      this.wake();
    });
  }
}

function secureOptions(access: Access): ConnectionOptions {
  return {
    ...endpointOf(new URL(access.server)),
    ca: access.certificateAuthority,
    cert: access.clientCertificate,
    key: access.clientKey,
  };
}

function brokenOff(): Error {
  return new Error('its response was cut off');
}
