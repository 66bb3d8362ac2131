import type { MeasuredTotals, Total } from '../../lib/runtime/measured-totals.ts';

/** What the steps have measured since the process began: the metrics that functions write to their logs, as counters. */
export function prometheusTotals(totals: MeasuredTotals): string {
  const lines = [...Map.groupBy(totals.all, ({ name }) => name).values()].flatMap((all) => linesOf(all));
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(all: readonly Total[]): string[] {
  const [{ name, unit } = { name: '', unit: 'Count' }] = all;
  if (unit === 'Count') {
    const counter = counterOf(name);
    return [`# TYPE ${counter} counter`, ...all.map((total) => `${counter}${labelsOf(total)} ${total.sum}`)];
  }
  const summary = `longshore_${snake(name)}_${unit.toLowerCase()}`;
  return [
    `# TYPE ${summary} summary`,
    ...all.flatMap((total) => [
      `${summary}_sum${labelsOf(total)} ${total.sum}`,
      `${summary}_count${labelsOf(total)} ${total.count}`,
    ]),
  ];
}

/** Some have the name that others give to the same metric. */
function counterOf(name: string): string {
  return name.endsWith('_total') ? name : `longshore_${snake(name)}_total`;
}

function labelsOf({ dimensions }: Total): string {
  const labels = Object.entries(dimensions).map(([name, value]) => `${snake(name)}=${JSON.stringify(value)}`);
  return labels.length === 0 ? '' : `{${labels.join(',')}}`;
}

function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
