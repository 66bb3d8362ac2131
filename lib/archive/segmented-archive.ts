import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import type { OutgoingMessage } from '../queue/message-parts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Archive, SegmentStore } from './archive.ts';
import { toLine } from './archived-message.ts';
import { Segment } from './segment.ts';
import { maxOpenMs } from './segment-limits.ts';
import { clusterPrefix, segmentName } from './segment-names.ts';
import { SegmentWriter } from './segment-writer.ts';

export interface SegmentedArchiveOptions {
  /** Each cluster has its own archive. */
  cluster: string;
  store: SegmentStore;
  clock: Clock;
  log: Pick<Log, 'info' | 'error'>;
  /** Unique to this process and run; random by default. */
  writer?: string;
  /** By default in a separate thread. */
  compress?: (bytes: Buffer) => Promise<Buffer>;
}

const compressed = promisify<Buffer, ZlibOptions, Buffer>(gzip);
/** The default level takes three times as long for segments that are 3 % smaller. */
const compressFast = (bytes: Buffer): Promise<Buffer> => compressed(bytes, { level: 1 });

/** Writes messages as segments: one fills while another one is written, and full ones wait. */
export class SegmentedArchive implements Archive {
  private readonly options: SegmentedArchiveOptions;
  private readonly name: string;
  private readonly writer: SegmentWriter;
  private readonly full: Segment[] = [];
  private open: Segment | undefined;
  /** Ends the wait for the open segment to be due. */
  private opened = new AbortController();
  private sequence = 0;
  private unwritten = { bytes: 0, messages: 0 };
  private isWriting = false;
  private writing: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;

  constructor(options: SegmentedArchiveOptions) {
    clusterPrefix(options.cluster); // A name that cannot be archived fails at the start, and not at the first message.
    this.options = options;
    this.name = options.writer ?? randomBytes(6).toString('hex');
    this.writer = new SegmentWriter({ ...options, compress: options.compress ?? compressFast });
  }

  get unwrittenBytes(): number {
    return this.unwritten.bytes;
  }

  add(message: OutgoingMessage, written: () => void): void {
    if (this.closing) throw new Error('the archive is closed: all senders must end before it');
    const now = this.options.clock.now();
    const line = toLine(message, now);
    const bytes = Buffer.byteLength(line);
    if (this.open && !this.open.canTake(bytes, now.getTime())) this.closeSegment();
    this.open ??= this.begin(now);
    this.open.add(line, bytes, written);
    this.unwritten.bytes += bytes;
    this.unwritten.messages += 1;
    if (this.open.isFull) this.closeSegment();
  }

  close(limitMs: number): Promise<void> {
    this.closing ??= this.finish(limitMs);
    return this.closing;
  }

  private begin(time: Date): Segment {
    const { cluster, clock } = this.options;
    const name = segmentName({ cluster, time, writer: this.name, sequence: this.sequence });
    this.sequence += 1;
    const segment = new Segment(name, time.getTime());
    this.opened = new AbortController();
    void clock.pause(maxOpenMs, this.opened.signal).then(() => {
      segment.isDue = true;
      this.write();
    });
    return segment;
  }

  private closeSegment(): void {
    if (!this.open) return;
    this.full.push(this.open);
    this.open = undefined;
    this.opened.abort();
    this.write();
  }

  /** Begins to write unless a write is in progress, or there is nothing to write yet. */
  private write(): void {
    const segment = this.isWriting ? undefined : this.next();
    if (!segment) return;
    this.isWriting = true;
    this.writing = this.writeAll(segment);
  }

  private async writeAll(first: Segment): Promise<void> {
    for (let segment: Segment | undefined = first; segment; segment = this.next()) {
      const { bytes, size } = segment;
      if (!(await this.writer.write(segment))) return;
      this.unwritten.bytes -= bytes;
      this.unwritten.messages -= size;
      segment.notifyWritten((error) =>
        this.options.log.error('callback after writing a segment failed', { error: String(error) }),
      );
    }
    // In the same tick as the last look: a later segment starts a new write.
    this.isWriting = false;
  }

  private next(): Segment | undefined {
    if (this.full.length === 0 && this.open?.isDue) {
      this.full.push(this.open);
      this.open = undefined;
    }
    return this.full.shift();
  }

  private async finish(limitMs: number): Promise<void> {
    const { clock, cluster } = this.options;
    this.closeSegment();
    this.writer.retryNow();
    const limit = new AbortController();
    await Promise.race([this.writing, clock.pause(limitMs, limit.signal)]);
    limit.abort();
    if (this.unwritten.messages === 0) return;
    this.writer.stop();
    throw new Error(
      `${this.unwritten.messages} messages about ${cluster} could not be written to the archive within ${limitMs} ms (${this.writer.lastFailure}): the checkpoint must not pass them, so that the next forwarder sends and archives them again`,
    );
  }
}
