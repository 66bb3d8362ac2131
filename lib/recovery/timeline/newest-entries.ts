import type { Entry } from './timeline-entry.ts';

/** More than anyone reads, and few enough for memory and screen: a writer to the archive can forge any number. */
export const maxEntries = 10_000;

/** The newest entries of one source, in the order in which they came. */
export class NewestEntries {
  /** The number of older ones that were left out. */
  leftOut = 0;
  private kept: Entry[] = [];

  add(entry: Entry): void {
    this.kept.push(entry);
    if (this.kept.length >= 2 * maxEntries) this.cut();
  }

  get entries(): readonly Entry[] {
    this.cut();
    return this.kept;
  }

  /** A problem to report if not all are kept. */
  problemsOf(source: string): string[] {
    this.cut();
    if (this.leftOut === 0) return [];
    return [`${source} has ${this.leftOut} more entries than the ${maxEntries} newest ones, which are shown`];
  }

  private cut(): void {
    const tooMany = this.kept.length - maxEntries;
    if (tooMany <= 0) return;
    const oldestFirst = [...this.kept].sort((one, other) => one.at.ms - other.at.ms);
    const oldest = new Set(oldestFirst.slice(0, tooMany));
    this.kept = this.kept.filter((entry) => !oldest.has(entry));
    this.leftOut += tooMany;
  }
}
