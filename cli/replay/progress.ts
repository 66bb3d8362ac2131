import type { Run } from '../../lib/recovery/replay/run.ts';
import type { Clock } from '../../lib/runtime/clock.ts';

const barEveryMs = 200;
/** Where nobody looks on, so that a log shows that it goes on. */
const lineEveryMs = 10_000;
const barWidth = 24;

export interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

type Shown = Pick<Run, 'place' | 'replayed' | 'isDryRun'>;

/** Shows how far a replay has come, on a line of its own or by a line now and then, and what happens meanwhile. */
export class Progress {
  private readonly output: Output;
  private readonly clock: Pick<Clock, 'elapsedMs' | 'pause'>;
  private shown = '';

  constructor(output: Output, clock: Pick<Clock, 'elapsedMs' | 'pause'>) {
    this.output = output;
    this.clock = clock;
  }

  async during<T>(run: Shown, work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const showing = this.showUntil(run, over.signal);
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

  private async showUntil(run: Shown, signal: AbortSignal): Promise<void> {
    const begunMs = this.clock.elapsedMs();
    const before = run.replayed;
    for (;;) {
      await this.clock.pause(this.output.isTTY ? barEveryMs : lineEveryMs, signal);
      if (signal.aborted) return;
      const perSecond = ((run.replayed - before) * 1_000) / (this.clock.elapsedMs() - begunMs);
      const text = textOf(run, perSecond);
      if (this.output.isTTY) this.show(`${barOf(run.place.share)} ${text}`);
      else this.output.write(`${text}\n`);
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

function textOf({ place, replayed, isDryRun }: Shown, perSecond: number): string {
  const what = isDryRun ? 'counted' : 'replayed';
  const at = place.time ? `, at ${place.time.toISOString()}` : '';
  return `${Math.floor(place.share * 100)} % ${what} ${replayed}, ${Math.round(perSecond)}/s${at}`;
}

function barOf(share: number): string {
  const full = Math.round(share * barWidth);
  return `[${'='.repeat(full)}${' '.repeat(barWidth - full)}]`;
}
