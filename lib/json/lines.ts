/** Takes one line, which stands between two positions of some bytes, without the line break. */
export type TakeLine = (bytes: Buffer, start: number, end: number) => void;

const lineBreak = 0x0a;

/** Splits what comes in pieces into lines. Only what is cut off at the end of a piece is copied; empty lines are skipped. */
export class LineSplitter {
  /** The beginning of a line whose end has not come yet: many pieces, where a line is long. */
  private begun: Buffer[] = [];
  private begunBytes = 0;

  push(chunk: Buffer, take: TakeLine): void {
    let start = 0;
    let end = chunk.indexOf(lineBreak);
    if (end >= 0 && this.hasRest) {
      const line = Buffer.concat([...this.begun, chunk.subarray(0, end)]);
      // Before it is taken, as that may throw, and then the same line must not come again.
      this.begun = [];
      this.begunBytes = 0;
      take(line, 0, line.length);
      start = end + 1;
      end = chunk.indexOf(lineBreak, start);
    }
    while (end >= 0) {
      if (end > start) take(chunk, start, end);
      start = end + 1;
      end = chunk.indexOf(lineBreak, start);
    }
    // A view would keep all of the chunk in memory, and who gave it may use it again.
    if (start === chunk.length) return;
    this.begun.push(Buffer.from(chunk.subarray(start)));
    this.begunBytes += chunk.length - start;
  }

  /** Whether what has come so far ends in the middle of a line. */
  get hasRest(): boolean {
    return this.begun.length > 0;
  }

  /** How much there is of a line whose end has not come: whoever reads from strangers sets a bound to it. */
  get restBytes(): number {
    return this.begunBytes;
  }
}
