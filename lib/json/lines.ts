/** Takes one line, which is between two positions of the bytes, without the line break. */
export type TakeLine = (bytes: Buffer, start: number, end: number) => void;

const lineBreak = 0x0a;

/** Splits chunks into lines. Only a line that is cut off at the end of a chunk is copied; empty lines are skipped. */
export class LineSplitter {
  /** The beginning of a line whose end has not arrived yet: many pieces, if the line is long. */
  private begun: Buffer[] = [];
  private begunBytes = 0;

  push(chunk: Buffer, take: TakeLine): void {
    let start = 0;
    let end = chunk.indexOf(lineBreak);
    if (end >= 0 && this.hasRest) {
      const line = Buffer.concat([...this.begun, chunk.subarray(0, end)]);
      // Cleared before the line is taken, as that may throw, and then the same line must not be taken again.
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
    // A view would keep the whole chunk in memory, and its owner may reuse it.
    if (start === chunk.length) return;
    this.begun.push(Buffer.from(chunk.subarray(start)));
    this.begunBytes += chunk.length - start;
  }

  /** True if the last chunk ended in the middle of a line. */
  get hasRest(): boolean {
    return this.begun.length > 0;
  }

  /** The length of a line whose end has not arrived: untrusted input needs a limit. */
  get restBytes(): number {
    return this.begunBytes;
  }
}
