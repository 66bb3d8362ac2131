import { type MetricDefinition, type MetricName, metricDefinitions } from './metric-definitions.ts';

export interface Measurement {
  name: MetricName;
  unit: 'Count' | 'Milliseconds' | 'Seconds' | 'Bytes';
  /** One value, or several that were measured together: CloudWatch accepts up to a hundred per line. */
  value: number | number[];
  /** Dimensions besides the deployment. Few values, all known beforehand: each combination may be a separate metric. */
  dimensions: Record<string, string>;
}

const namespace = 'Longshore';

/** For a process outside any deployment, such as one on a developer's machine. */
export const anyDeployment = 'longshore';

/**
 * Log lines from which CloudWatch extracts metrics (embedded metric format): no call is made for them, so none can fail or
 * take time. Of each only those are made that its definition names, and all by the deployment as well: otherwise a healthy
 * deployment would hide an unhealthy one in the same account. What is measured with the same dimensions shares a line.
 */
export function embeddedMetrics(measurements: readonly Measurement[], deployment: string, now: Date): object[] {
  const lines = Map.groupBy(measurements, ({ dimensions }) => JSON.stringify(dimensions));
  return [...lines.values()].map((line) => embedded(line, deployment, now));
}

function embedded(measurements: readonly Measurement[], deployment: string, now: Date): object {
  const byName = [...Map.groupBy(measurements, ({ name }) => name)];
  const bySets = Map.groupBy(byName, ([name]): MetricDefinition['by'] => metricDefinitions[name].by);
  const directives = [...bySets].flatMap(([sets, all]) => {
    const Metrics = all.map(([name, [first]]) => ({ Name: name, Unit: first?.unit }));
    const Dimensions = sets.map((set) => ['Deployment', ...set]);
    return sets.length > 0 ? [{ Namespace: namespace, Dimensions, Metrics }] : [];
  });
  const values = byName.map(([name, [first, ...others]]) => {
    return [name, others.length > 0 ? [first, ...others].flatMap((each) => each?.value) : first?.value];
  });
  return {
    ...(directives.length > 0 ? { _aws: { Timestamp: now.getTime(), CloudWatchMetrics: directives } } : {}),
    Deployment: deployment,
    ...measurements[0]?.dimensions,
    ...Object.fromEntries(values),
  };
}
