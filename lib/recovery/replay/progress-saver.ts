import type { Clock } from '../../runtime/clock.ts';
import { errorText } from '../../runtime/error-text.ts';

const everyMs = 5_000;

/** Saves the progress of a run periodically. */
export class ProgressSaver {
  /** The reason why the last attempt to save failed. */
  problem: string | undefined;
  private readonly clock: Pick<Clock, 'pause'>;
  private readonly write: (text: string) => Promise<void>;
  private readonly textNow: () => string;
  private kept: string | undefined;

  constructor(clock: Pick<Clock, 'pause'>, write: (text: string) => Promise<void>, textNow: () => string) {
    this.clock = clock;
    this.write = write;
    this.textNow = textNow;
  }

  /** An outdated record only means that more is done twice: so a failure to save stops nothing. */
  async during<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const keeping = this.keepUntil(over.signal);
    try {
      return await work;
    } finally {
      over.abort();
      await keeping;
      await this.keep();
    }
  }

  async keep(): Promise<void> {
    const text = this.textNow();
    if (text === this.kept) return;
    try {
      await this.write(text);
      this.kept = text;
      this.problem = undefined;
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  private async keepUntil(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.pause(everyMs, signal);
      if (signal.aborted) return;
      await this.keep();
    }
  }
}
