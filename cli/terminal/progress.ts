import type { Clock } from '../../lib/runtime/clock.ts';
import { type Output, Stages } from './stages.ts';

const barEveryMs = 200;
/** Where nobody looks on: the first line soon, and then now and then, so that a log shows that it goes on. */
const firstLineMs = 700;
const lineEveryMs = 10_000;
const barWidth = 24;

/** What is being done, and how much of it, if that is known. */
export interface Shown {
  text: string;
  /** From 0 to 1. */
  share?: number;
}

/** Shows how far something has come that takes longer than a second, and what happens meanwhile. */
export class Progress {
  private readonly isTerminal: boolean;
  private readonly lines: Stages;
  private readonly clock: Pick<Clock, 'pause'>;

  constructor(output: Output, clock: Pick<Clock, 'pause'>) {
    this.isTerminal = output.isTTY === true;
    this.lines = new Stages(output);
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
      this.lines.end();
    }
  }

  /** A line that stays. */
  print(line: string): void {
    this.lines.say(line);
  }

  private async showUntil(shown: () => Shown, signal: AbortSignal): Promise<void> {
    let pauseMs = this.isTerminal ? barEveryMs : firstLineMs;
    for (;;) {
      await this.clock.pause(pauseMs, signal);
      if (signal.aborted) return;
      const { text, share } = shown();
      if (this.isTerminal) this.lines.now(share === undefined ? text : `${barOf(share)} ${text}`);
      else this.lines.say(text);
      pauseMs = this.isTerminal ? barEveryMs : lineEveryMs;
    }
  }
}

function barOf(share: number): string {
  const full = Math.round(share * barWidth);
  return `[${'='.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}
