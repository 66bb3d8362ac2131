/** A pause too short to be noticed. */
export const restMs = 1;
/** Data that arrives this soon after other data is part of a burst. */
const soonMs = 0.2;
const manyInARow = 8;

/**
 * When to rest before reading on. A server that has much to tell sends it piece by piece, and to be woken for each costs more
 * than to read it: so where much comes one after the other it is left to gather for a moment. What comes alone never waits.
 */
export class ReadingRhythm {
  private lastMs = Number.NEGATIVE_INFINITY;
  private inARow = 0;

  /** Something has been read now. Answers whether to rest. */
  isCrowded(nowMs: number): boolean {
    this.inARow = nowMs - this.lastMs < soonMs ? this.inARow + 1 : 0;
    this.lastMs = nowMs;
    return this.inARow >= manyInARow;
  }
}
