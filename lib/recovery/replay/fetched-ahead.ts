import { Readable } from 'node:stream';
import { DamagedSegment, type SegmentSource } from '../../archive/read.ts';
import { type Clock, pauseAfter } from '../../clock.ts';

/** So many segments are fetched before it is their turn, so that a bucket's time to answer is waited for once. */
const mostAhead = 4;
/** A segment has one line, or 1 MiB of them, and no line of ours has more than 7 MiB. */
const longestSegmentBytes = 8 * 1024 * 1024;
const mostAttempts = 5;
const pauses = { firstMs: 200, longestMs: 5_000 };

/**
 * Segments that are held as whole objects while they are read. A connection that is read slowly, because the messages are
 * sent slowly, would be closed by S3; and what has been fetched whole has been fetched right.
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

  /** The same names, of which the next ones are being fetched. */
  async *segments(names: AsyncIterable<string>): AsyncGenerator<string> {
    const ahead: string[] = [];
    for await (const name of names) {
      ahead.push(name);
      this.fetch(name);
      if (ahead.length > mostAhead) yield ahead.shift() as string;
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
    // Whoever reads the segment is told; whoever does not get that far must not fail by it.
    fetching.catch(() => {});
  }

  private async attempt(name: string): Promise<Buffer> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await bytesOf(name, await this.source.open(name));
      } catch (error) {
        const isFinal = error instanceof DamagedSegment || isGone(error) || attempts >= mostAttempts;
        if (isFinal || this.signal.aborted) throw error;
        await this.clock.pause(pauseAfter(attempts, pauses), this.signal);
      }
    }
  }
}

async function bytesOf(name: string, stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > longestSegmentBytes) throw new DamagedSegment(name, 'it is larger than any that is written');
  }
  return Buffer.concat(chunks);
}

/** It has expired since it was listed, or may not be read: neither changes by trying again. */
function isGone(error: unknown): boolean {
  return /^(NoSuchKey|NotFound|AccessDenied|Forbidden|NoSuchBucket)$/.test(String((error as { name?: unknown }).name));
}
