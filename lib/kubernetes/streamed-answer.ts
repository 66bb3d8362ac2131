import type { IncomingMessage } from 'node:http';
import type { Stream } from './api.ts';

export interface StreamOptions {
  /** Fails when nothing arrives for this long while somebody waits for it; never, if zero. */
  silenceTimeoutMs: number;
  /** Ends it. */
  signal: AbortSignal | undefined;
  /** Describes the failure for people. */
  explain: (cause: unknown) => Error;
}

/**
 * A response that is read as it comes. What arrives together is read together, which Node's own iterator does not do: an
 * API server sends each change in a packet of its own, and to wake the reader for each costs more than to read it.
 */
export class StreamedAnswer implements Stream {
  private readonly response: IncomingMessage;
  private readonly options: StreamOptions;
  private failure: unknown;
  private isOver = false;
  private wake: (() => void) | undefined;

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
      for (;;) {
        // All that there is: Node stops reading from the connection when this is more than a little.
        const chunk: Buffer | null = this.response.read();
        if (chunk) yield chunk;
        else if (this.failure !== undefined) throw this.options.explain(this.failure);
        else if (this.isOver) return;
        else await this.news();
      }
    } finally {
      this.end(undefined);
    }
  }

  /** What was read before stays available. */
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

  private tell(): void {
    if (this.wake) setImmediate(this.wake);
    this.wake = undefined;
  }
}

function cutOff(): Error {
  return new Error('its response was cut off');
}
