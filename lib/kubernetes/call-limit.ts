import type { IncomingMessage } from 'node:http';

/** The time limit for a body, however often a little of it arrives. Time in which it is not read does not count. */
export class CallLimit {
  private readonly response: IncomingMessage;
  private readonly silenceMs: number;
  private leftMs: number;
  private timer: NodeJS.Timeout | undefined;
  private startedMs = 0;

  constructor(response: IncomingMessage, milliseconds: number, silenceMs: number) {
    this.response = response;
    this.silenceMs = silenceMs;
    this.leftMs = milliseconds;
    this.begin();
  }

  pause(): void {
    this.end();
    this.leftMs -= performance.now() - this.startedMs;
    // While we do not read, the server is not at fault.
    this.response.socket?.setTimeout(0);
  }

  resume(): void {
    this.begin();
    this.response.socket?.setTimeout(this.silenceMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    const late = new Error('it took too long to answer');
    this.startedMs = performance.now();
    this.timer = setTimeout(() => this.response.destroy(late), Math.max(0, this.leftMs));
  }
}
