import { type MetricName, metricDefinitions } from './metric-definitions.ts';

export interface Measurement {
  name: MetricName;
  unit: 'Count' | 'Milliseconds' | 'Seconds' | 'Bytes';
  /** One value, or several that were measured together: CloudWatch accepts up to a hundred per line. */
  value: number | number[];
  /** Dimensions besides the deployment. Few values, all known beforehand: each combination is a separate metric. */
  dimensions: Record<string, string>;
}

const namespace = 'Longshore';

/** For a process outside any deployment, such as one on a developer's machine. */
export const anyDeployment = 'longshore';

/**
 * Log lines from which CloudWatch extracts metrics (embedded metric format): no call is made for them, so none can fail or
 * take time. Each is published by the sets of dimensions of its definition, and always by the deployment as well: otherwise a
 * healthy deployment would hide an unhealthy one in the same account. Metrics with the same dimensions share a line.
 */
export function embeddedMetrics(measurements: readonly Measurement[], deployment: string, now: Date): object[] {
  const lines = Map.groupBy(measurements, ({ dimensions }) => JSON.stringify(dimensions));
  return [...lines.values()].map((line) => embedded(line, deployment, now));
}

function embedded(measurements: readonly Measurement[], deployment: string, now: Date): object {
  const dimensions = { Deployment: deployment, ...measurements[0]?.dimensions };
  const byName = [...Map.groupBy(measurements, ({ name }) => name)];
  const bySets = Map.groupBy(byName, ([name]) => JSON.stringify(publishedBy(name, dimensions)));
  const directives = [...bySets].map(([sets, all]) => ({
    Namespace: namespace,
    Dimensions: JSON.parse(sets) as string[][],
    Metrics: all.map(([name, [first]]) => ({ Name: name, Unit: first?.unit })),
  }));
  const values = byName.map(([name, [first, ...others]]) => {
    return [name, others.length > 0 ? [first, ...others].flatMap((each) => each?.value) : first?.value];
  });
  return {
    _aws: { Timestamp: now.getTime(), CloudWatchMetrics: directives },
    ...dimensions,
    ...Object.fromEntries(values),
  };
}

/** A set of dimensions counts if all of them are known. */
function publishedBy(name: MetricName, dimensions: Readonly<Record<string, string>>): string[][] {
  const sets = metricDefinitions[name].by.filter((set: readonly string[]) => set.every((each) => each in dimensions));
  return sets.map((set) => ['Deployment', ...set]);
}
