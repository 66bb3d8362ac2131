import { type MetricDefinition, metricDefinitions } from '../../lib/runtime/metric-definitions.ts';
import { table } from './table.ts';

/** Which metrics CloudWatch makes, in docs/observing.md. */
export function metricTable(): string {
  const definitions: [string, MetricDefinition][] = Object.entries(metricDefinitions);
  const rows = definitions.flatMap(([name, { by, reported }]) =>
    by.map((set) => [`\`${name}\``, ['Deployment', ...set].map((each) => `\`${each}\``).join(', '), reported]),
  );
  return table(['metric', 'dimensions', 'has data'], rows);
}
