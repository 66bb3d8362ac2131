import { clipped, printable } from './printable.ts';
import { lineWidth } from './width.ts';
import { folded } from './wrap.ts';

export interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const eraseLine = '\r\u001b[K';
const defaultColumns = 80;

/**
 * The progress of something that takes its time: lines that stay, and on a terminal below them one line that changes. A
 * pipe or a log gets only what stays.
 */
export class Stages {
  private readonly output: Output;
  private current = '';

  constructor(output: Output) {
    this.output = output;
  }

  /** A line that stays, in several if it is too long for the terminal. */
  say(text: string): void {
    this.erase();
    this.output.write(`${folded(printable(text), lineWidth(this.output))}\n`);
    this.draw();
  }

  /** The line that changes; the end of a long one is cut off, because a wrapped line could not be replaced. */
  now(text: string): void {
    if (!this.output.isTTY || text === this.current) return;
    this.erase();
    this.current = text;
    this.draw();
  }

  /** Nothing changes any more. */
  end(): void {
    this.erase();
    this.current = '';
  }

  private erase(): void {
    if (this.current !== '') this.output.write(eraseLine);
  }

  private draw(): void {
    if (this.current === '') return;
    // The last column stays free: a terminal that wraps there could not go back. One more is for the mark of the cut.
    const columns = (this.output.columns ?? defaultColumns) - 2;
    this.output.write(clipped(printable(this.current), Math.max(columns, 1)));
  }
}
