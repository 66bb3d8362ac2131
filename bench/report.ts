/** The results of a benchmark: figures with the baseline from the same run. */
export interface Report {
  name: string;
  conditions: Record<string, string | number>;
  results: Result[];
}

export interface Result {
  metric: string;
  value: number;
  unit: string;
  /** The name of the baseline. */
  baseline: string | null;
  /** value / the baseline's value; null without a baseline. */
  ratio: number | null;
}

export function result(metric: string, value: number, unit: string): Result {
  return { metric, value: round(value), unit, baseline: null, ratio: null };
}

export function compared(metric: string, value: number, unit: string, baseline: string, of: number): Result {
  return { metric, value: round(value), unit, baseline: `${baseline}: ${round(of)} ${unit}`, ratio: round(value / of) };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('there is no median of nothing');
  return middle;
}

export function print({ name, conditions, results }: Report, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ name, conditions, results }));
    return;
  }
  console.log(
    `${name}: ${Object.entries(conditions)
      .map(([condition, value]) => `${condition} ${value}`)
      .join(', ')}`,
  );
  const rows = results.map(({ metric, value, unit, baseline, ratio }) => [
    metric,
    `${value} ${unit}`,
    ratio === null ? '' : `${ratio} ×`,
    baseline ?? '',
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
