import { addAbortSignal, Readable } from 'node:stream';
import { DamagedSegment, type SegmentSource } from '../../archive/read-archive.ts';
import { type Clock, pauseAfter } from '../../runtime/clock.ts';

/** This many segments are fetched in advance, so that the latency of the bucket matters only once. */
const maxAhead = 4;
/** A segment has one line, or 1 MiB of them, and no line of ours has more than 7 MiB. */
const maxFetchedBytes = 8 * 1024 * 1024;
const maxAttempts = 5;
/** A connection that has been silent for this long sends nothing more. */
const maxSilenceMs = 10_000;
const pauses = { firstMs: 200, maxMs: 5_000 };

/**
 * Segments that are held as whole objects while they are read. A connection that is read slowly, because the messages
 * are sent slowly, would be closed by S3; and a segment fetched as a whole is complete. A fetch ends with the signal.
 */
export class FetchedAhead implements Pick<SegmentSource, 'open'> {
  private readonly source: SegmentSource;
  private readonly clock: Pick<Clock, 'pause'>;
  private readonly signal: AbortSignal;
  private readonly fetched = new Map<string, Promise<Buffer>>();

  constructor(source: SegmentSource, clock: Pick<Clock, 'pause'>, signal: AbortSignal) {
    this.source = source;
    this.clock = clock;
    this.signal = signal;
  }

  /** The same names, while the next ones are being fetched. */
  async *segments(names: AsyncIterable<string>): AsyncGenerator<string> {
    const ahead: string[] = [];
    for await (const name of names) {
      ahead.push(name);
      this.fetch(name);
      if (ahead.length > maxAhead) yield ahead.shift() as string;
    }
    yield* ahead;
  }

  async open(name: string): Promise<Readable> {
    const fetching = this.fetched.get(name) ?? this.attempt(name);
    this.fetched.delete(name);
    return Readable.from([await fetching]);
  }

  private fetch(name: string): void {
    const fetching = this.attempt(name);
    this.fetched.set(name, fetching);
    // The reader of the segment gets the error; if it is never read, that must not cause a failure.
    fetching.catch(() => {});
  }

  private async attempt(name: string): Promise<Buffer> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.whole(name);
      } catch (error) {
        const isFinal = error instanceof DamagedSegment || isGone(error) || attempts >= maxAttempts;
        if (isFinal || this.signal.aborted) throw error;
        await this.clock.pause(pauseAfter(attempts, pauses), this.signal);
      }
    }
  }

  private async whole(name: string): Promise<Buffer> {
    const stream = addAbortSignal(this.signal, await this.source.open(name));
    const over = new AbortController();
    const chunks: Buffer[] = [];
    void this.endWhenSilent(stream, chunks, over.signal);
    try {
      return await joined(name, stream, chunks);
    } finally {
      over.abort();
    }
  }

  private async endWhenSilent(stream: Readable, chunks: readonly Buffer[], over: AbortSignal): Promise<void> {
    for (let seen = -1; seen < chunks.length; ) {
      seen = chunks.length;
      await this.clock.pause(maxSilenceMs, over);
      if (over.aborted) return;
    }
    stream.destroy(new Error(`no more of it arrived for ${maxSilenceMs / 1_000} seconds`));
  }
}

async function joined(name: string, stream: Readable, chunks: Buffer[]): Promise<Buffer> {
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > maxFetchedBytes) throw new DamagedSegment(name, 'it is larger than any that Longshore writes');
  }
  return Buffer.concat(chunks);
}

/** It has expired since it was listed, or may not be read: trying again changes neither. */
function isGone(error: unknown): boolean {
  return /^(NoSuchKey|NotFound|AccessDenied|Forbidden|NoSuchBucket)$/.test(String((error as { name?: unknown }).name));
}
