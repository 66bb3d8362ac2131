import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { SegmentStore } from './archive.ts';
import type { Segment } from './segment.ts';

const firstPauseMs = 100;
const maxPauseMs = 10_000;

export interface SegmentWriterOptions {
  cluster: string;
  store: SegmentStore;
  clock: Clock;
  log: Pick<Log, 'info' | 'error'>;
  compress: (bytes: Buffer) => Promise<Buffer>;
}

/** Writes segments to the store, retrying each until it succeeds. */
export class SegmentWriter {
  isStopped = false;
  lastFailure = 'the store did not respond';
  private readonly options: SegmentWriterOptions;
  /** Ends a pause between two attempts. */
  private pausing = new AbortController();

  constructor(options: SegmentWriterOptions) {
    this.options = options;
  }

  /** True if it is in the store, false if the writer was stopped. */
  async write(segment: Segment): Promise<boolean> {
    const { cluster, clock, log } = this.options;
    const attempt = this.attemptFor(segment);
    let pauseMs = firstPauseMs;
    for (let attempts = 1; !this.isStopped; attempts += 1) {
      const failure = await attempt();
      if (this.isStopped) return false;
      const fields = { cluster, segment: segment.name, attempts };
      if (failure === undefined) {
        if (attempts > 1) log.info('archive can be written again', fields);
        return true;
      }
      this.lastFailure = failure;
      const meaning = 'archive not written; the checkpoint waits, and the write is retried (see docs/archive.md)';
      log.error(meaning, { ...fields, messages: segment.size, error: failure });
      const { signal } = this.pausing;
      await clock.pause(pauseMs, signal);
      pauseMs = signal.aborted ? firstPauseMs : Math.min(maxPauseMs, pauseMs * 2);
    }
    return false;
  }

  /** Ends a pause between two attempts, if there is one. */
  retryNow(): void {
    this.pausing.abort();
    this.pausing = new AbortController();
  }

  /** Nothing is retried from now on, and an attempt in progress does not count. */
  stop(): void {
    this.isStopped = true;
    this.pausing.abort();
  }

  /**
   * Every attempt writes the same bytes: a put that was accepted but not answered is replaced by itself. An attempt returns
   * its failure.
   */
  private attemptFor(segment: Segment): () => Promise<string | undefined> {
    const { store, compress } = this.options;
    const text = segment.takeText();
    let compressed: Buffer | undefined;
    return async () => {
      try {
        compressed ??= await compress(text);
        await store.put(segment.name, compressed);
        return undefined;
      } catch (error) {
        return String(error);
      }
    };
  }
}
