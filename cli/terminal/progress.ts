import type { Clock } from '../../lib/runtime/clock.ts';

const barEveryMs = 200;
/** Where nobody looks on: the first line soon, and then now and then, so that a log shows that it goes on. */
const firstLineMs = 700;
const lineEveryMs = 10_000;
const barWidth = 24;

export interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** What is being done, and how much of it, if that is known. */
export interface Shown {
  text: string;
  /** From 0 to 1. */
  share?: number;
}

/** Shows how far something has come that takes longer than a second, and what happens meanwhile. */
export class Progress {
  private readonly output: Output;
  private readonly clock: Pick<Clock, 'pause'>;
  private shown = '';

  constructor(output: Output, clock: Pick<Clock, 'pause'>) {
    this.output = output;
    this.clock = clock;
  }

  async during<T>(shown: () => Shown, work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const showing = this.showUntil(shown, over.signal);
    try {
      return await work;
    } finally {
      over.abort();
      await showing;
      this.clear();
    }
  }

  /** A line that stays. */
  print(line: string): void {
    const { shown } = this;
    this.clear();
    this.output.write(`${line}\n`);
    if (shown !== '') this.show(shown);
  }

  private async showUntil(shown: () => Shown, signal: AbortSignal): Promise<void> {
    let pauseMs = this.output.isTTY ? barEveryMs : firstLineMs;
    for (;;) {
      await this.clock.pause(pauseMs, signal);
      if (signal.aborted) return;
      const { text, share } = shown();
      if (this.output.isTTY) this.show(share === undefined ? text : `${barOf(share)} ${text}`);
      else this.output.write(`${text}\n`);
      pauseMs = this.output.isTTY ? barEveryMs : lineEveryMs;
    }
  }

  private show(text: string): void {
    this.clear();
    this.output.write(text);
    this.shown = text;
  }

  private clear(): void {
    if (this.shown !== '') this.output.write(`\r${' '.repeat(this.shown.length)}\r`);
    this.shown = '';
  }
}

function barOf(share: number): string {
  const full = Math.round(share * barWidth);
  return `[${'='.repeat(full)}${' '.repeat(barWidth - full)}]`;
}
