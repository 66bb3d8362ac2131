import type { Measurement } from './metrics.ts';

export interface Total {
  name: Measurement['name'];
  unit: Measurement['unit'];
  dimensions: Record<string, string>;
  sum: number;
  count: number;
}

/** What has been measured since the process began, for metrics that are asked for instead of written to the log. */
export class MeasuredTotals {
  private readonly totals = new Map<string, Total>();

  /** By name, in the order in which they were first measured. */
  get all(): Total[] {
    return [...Map.groupBy(this.totals.values(), ({ name }) => name).values()].flat();
  }

  add(...measurements: readonly Measurement[]): void {
    for (const { name, unit, value, dimensions } of measurements) {
      const total = this.totalOf(name, unit, dimensions);
      for (const each of Array.isArray(value) ? value : [value]) {
        total.sum += each;
        total.count += 1;
      }
    }
  }

  private totalOf(name: Measurement['name'], unit: Measurement['unit'], dimensions: Record<string, string>): Total {
    const key = JSON.stringify([name, Object.entries(dimensions).sort()]);
    const known = this.totals.get(key);
    if (known) return known;
    const total = { name, unit, dimensions, sum: 0, count: 0 };
    this.totals.set(key, total);
    return total;
  }
}
