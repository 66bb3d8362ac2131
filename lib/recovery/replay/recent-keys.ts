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

  /** Whether it was there already; from now on it is. */
  add(key: string): boolean {
    if (this.recent.has(key)) return true;
    const wasThere = this.before.has(key);
    if (this.recent.size >= this.least) {
      this.before = this.recent;
      this.recent = new Set();
    }
    this.recent.add(key);
    return wasThere;
  }
}
