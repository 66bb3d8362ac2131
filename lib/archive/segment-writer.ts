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

/** Puts segments into the store, each for as long as it takes. */
export class SegmentWriter {
  isStopped = false;
  lastFailure = 'the store did not respond';
  private readonly options: SegmentWriterOptions;
  /** Ends a pause between two attempts. */
  private pausing = new AbortController();

  constructor(options: SegmentWriterOptions) {
    this.options = options;
  }

  /** Whether it is in the store: only one that was stopped leaves it undone. */
  async write(segment: Segment): Promise<boolean> {
    const { cluster, clock, log } = this.options;
    const attempt = this.attemptsOf(segment);
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

  /** Ends the pause that there may be. */
  tryNow(): void {
    this.pausing.abort();
    this.pausing = new AbortController();
  }

  /** Nothing is tried again from now on, and what is still under way does not count. */
  stop(): void {
    this.isStopped = true;
    this.pausing.abort();
  }

  /**
   * An attempt, again and again with the same bytes: a put that was accepted but not answered is replaced by itself. It
   * answers what went wrong.
   */
  private attemptsOf(segment: Segment): () => Promise<string | undefined> {
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
