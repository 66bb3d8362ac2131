/**
 * Whether a key has come up before, of so many at least that came up last. The older half of them is forgotten at once: a
 * set that forgets one at a time looks through all that it has forgotten for the next one.
 */
export class RecentKeys {
  private readonly least: number;
  private recent = new Set<string>();
  private before = new Set<string>();

  constructor(least: number) {
    this.least = least;
  }

  /** Whether it is there; then it has come up again. */
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
