import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stream } from './api.ts';

export interface StreamOptions {
  /** Fails if nothing arrives for this long while a reader waits; never, if zero. */
  silenceTimeoutMs: number;
  /** Ends it. */
  signal: AbortSignal | undefined;
  /** Describes the failure for people. */
  explain: (cause: unknown) => Error;
}

/** A pause too short to be noticed. */
const restMs = 1;
/** Data that arrives this soon after it was requested is part of a burst, if that happens this many times in a row. */
const soonMs = 0.2;
const manyInARow = 8;

/**
 * A response that is read as it arrives. Data that arrives together is read together, which Node's own iterator does
 * not do: an API server sends each change in a packet of its own, and waking the reader for each costs more than
 * reading it. So in a burst the data is left to gather for a moment. Single packets never wait.
 */
export class StreamedAnswer implements Stream {
  private readonly response: IncomingMessage;
  private readonly options: StreamOptions;
  private failure: unknown;
  private isOver = false;
  private wake: (() => void) | undefined;
  private soonInARow = 0;

  constructor(response: IncomingMessage, options: StreamOptions) {
    this.response = response;
    this.options = options;
    const { signal } = options;
    const giveUp = () => this.end(new Error('no one is waiting for it any more'));
    response.on('readable', () => this.tell());
    response.on('end', () => this.end(undefined));
    response.on('error', (error: NodeJS.ErrnoException) => this.end(error.code === 'ECONNRESET' ? cutOff() : error));
    response.on('close', () => {
      signal?.removeEventListener('abort', giveUp);
      this.end(response.complete ? undefined : cutOff());
    });
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
  }

  get statusCode(): number {
    return this.response.statusCode ?? 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (let askedMs = performance.now(); ; ) {
        // Everything that is available: Node stops reading from the connection when this is more than a little.
        const chunk: Buffer | null = this.response.read();
        if (chunk) {
          this.soonInARow = performance.now() - askedMs < soonMs ? this.soonInARow + 1 : 0;
          yield chunk;
          if (this.soonInARow >= manyInARow && !this.isOver) await this.rest();
          askedMs = performance.now();
        } else if (this.failure !== undefined) throw this.options.explain(this.failure);
        else if (this.isOver) return;
        else await this.news();
      }
    } finally {
      this.end(undefined);
    }
  }

  /** Data that was read before stays available. */
  private end(failure: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = failure;
    this.response.destroy();
    this.tell();
  }

  private async news(): Promise<void> {
    const { silenceTimeoutMs } = this.options;
    const silent = () => this.end(new Error(`silent for ${silenceTimeoutMs} ms`));
    const timer = silenceTimeoutMs > 0 ? setTimeout(silent, silenceTimeoutMs) : undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    clearTimeout(timer);
  }

  private async rest(): Promise<void> {
    this.response.socket.pause();
    await pause(restMs);
    this.response.socket.resume();
  }

  private tell(): void {
    if (this.wake) setImmediate(this.wake);
    this.wake = undefined;
  }
}

function cutOff(): Error {
  return new Error('its response was cut off');
}
