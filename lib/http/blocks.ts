const firstLength = 64 * 1024;

/** What has come and was not read yet, in two blocks of memory by turns: one fills while the other is read. */
export class Blocks {
  private filling = Buffer.allocUnsafeSlow(firstLength);
  private other = Buffer.allocUnsafeSlow(firstLength);
  private used = 0;

  get length(): number {
    return this.used;
  }

  add(bytes: Buffer, start: number, end: number): void {
    const needed = this.used + end - start;
    if (needed > this.filling.length) this.grow(needed);
    bytes.copy(this.filling, this.used, start, end);
    this.used = needed;
  }

  /** All that has come: it stays as it is until the next time. */
  take(): Buffer {
    const taken = this.filling.subarray(0, this.used);
    [this.filling, this.other] = [this.other, this.filling];
    this.used = 0;
    return taken;
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.filling.length * 2));
    this.filling.copy(larger, 0, 0, this.used);
    this.filling = larger;
  }
}
