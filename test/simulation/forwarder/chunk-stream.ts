import type { Stream } from '../../../lib/kubernetes/connection.ts';
import type { Machine } from '../../support/simulated-time.ts';

type Step = IteratorResult<Buffer, undefined>;
interface Reader {
  resolve(step: Step): void;
  reject(error: unknown): void;
}

/** An answer that comes in pieces to a machine, where it is read as fast as somebody asks for them. */
export class ChunkStream implements Stream {
  readonly statusCode = 200;
  private readonly machine: Machine;
  private readonly onClosed: (stream: ChunkStream) => void;
  private readonly chunks: Buffer[] = [];
  private reader: Reader | undefined;
  private end: { error?: unknown } | undefined;

  constructor(machine: Machine, onClosed: (stream: ChunkStream) => void) {
    this.machine = machine;
    this.onClosed = onClosed;
  }

  /** Whether nothing more can come. */
  get isOver(): boolean {
    return this.end !== undefined;
  }

  push(chunk: Buffer): void {
    this.machine.receive(() => {
      if (this.end) return;
      if (this.reader) this.answer({ value: chunk, done: false });
      else this.chunks.push(chunk);
    });
  }

  /** The server, or the way to it, ends it. */
  finish(error?: Error): void {
    this.machine.receive(() => this.close(error ? { error } : {}));
  }

  /** Whoever reads ends it. */
  abort(error: Error): void {
    this.chunks.length = 0;
    this.close({ error });
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
    return {
      next: () => new Promise<Step>((resolve, reject) => this.read({ resolve, reject })),
      return: async () => {
        this.abort(new Error('closed'));
        return { value: undefined, done: true };
      },
    };
  }

  private close(end: { error?: unknown }): void {
    if (this.end) return;
    this.end = end;
    this.onClosed(this);
    const { reader } = this;
    this.reader = undefined;
    if (reader) this.answerEnd(reader);
  }

  private read(reader: Reader): void {
    const chunk = this.chunks.shift();
    if (chunk) reader.resolve({ value: chunk, done: false });
    else if (this.end) this.answerEnd(reader);
    else this.reader = reader;
  }

  private answerEnd({ resolve, reject }: Reader): void {
    if (this.end && 'error' in this.end) reject(this.end.error);
    else resolve({ value: undefined, done: true });
  }

  private answer(step: Step): void {
    const { reader } = this;
    this.reader = undefined;
    reader?.resolve(step);
  }
}
