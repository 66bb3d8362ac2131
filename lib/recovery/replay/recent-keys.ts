/**
 * Remembers at least this many of the most recent keys. The older half of them is dropped at once: a set that drops
 * single entries has to skip all that it has dropped to find the next one.
 */
export class RecentKeys {
  private readonly least: number;
  private recent = new Set<string>();
  private before = new Set<string>();

  constructor(least: number) {
    this.least = least;
  }

  /** True if it is remembered; then it counts as recent again. */
  has(key: string): boolean {
    if (this.recent.has(key)) return true;
    if (!this.before.has(key)) return false;
    this.add(key);
    return true;
  }

  add(key: string): void {
    if (this.recent.has(key)) return;
    if (this.recent.size >= this.least) {
      this.before = this.recent;
      this.recent = new Set();
    }
    this.recent.add(key);
  }
}
