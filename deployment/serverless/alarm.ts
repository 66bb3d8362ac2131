import { hash } from 'node:crypto';
import type { Measurement } from '../../lib/runtime/metrics.ts';
import type { DeploymentContext } from './deployment-context.ts';
import type { Resource } from './service.ts';

export interface AlarmMetric {
  namespace: 'AWS/SQS' | 'AWS/Lambda' | 'AWS/Events' | 'Longshore';
  metric: string;
  dimensions: Record<string, unknown>;
  statistic: 'Sum' | 'Maximum';
}

/** The properties in which alarms differ. */
export interface Alarm {
  /** The end of its logical id. */
  id: string;
  /** The end of its name. */
  name: string;
  /** Its meaning, and what to do, for the person on call. */
  description: string;
  /** It fires for each of them. */
  metrics: readonly AlarmMetric[];
  /** It fires when a value is greater than this. */
  above: number;
  periodSeconds: number;
  /** In at least `least` of `of` periods. */
  periods?: { of: number; least: number };
  /** The treatment of missing data: not breaching by default, breaching, or ignored. Only for an alarm with one metric. */
  missingData?: 'breaching' | 'ignore';
}

/** Typed by the metric names of the functions, so that neither can change without the other. */
export function metricNamed(metric: Measurement['name'], statistic: AlarmMetric['statistic'], by: object): AlarmMetric {
  return { namespace: 'Longshore', metric, statistic, dimensions: { ...by } };
}

/** CloudWatch's limit for an expression. */
const maxMetrics = 10;

/** An alarm for each ten metrics; of several, each has a number. */
export function alarmsFor<Watched extends AlarmMetric>(
  watched: readonly Watched[],
  alarmOf: (some: readonly Watched[]) => Omit<Alarm, 'metrics'>,
): Alarm[] {
  const count = Math.ceil(watched.length / maxMetrics);
  return Array.from({ length: count }, (_, index) => {
    const metrics = watched.slice(index * maxMetrics, (index + 1) * maxMetrics);
    const { id, name, ...alarm } = alarmOf(metrics);
    const number = index + 1;
    return count === 1
      ? { id, name, ...alarm, metrics }
      : { id: `${id}${number}`, name: `${name}-${number}`, ...alarm, metrics };
  });
}

export function alarmResources(
  alarms: readonly Alarm[],
  { name, parameters }: DeploymentContext,
): Record<string, Resource> {
  const topic = parameters['alarm-topic'];
  const resourceOf = (alarm: Alarm): Resource => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${name}-${alarm.name}`,
      AlarmDescription: alarm.description,
      ...watching(alarm),
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: alarm.above,
      EvaluationPeriods: alarm.periods?.of ?? 1,
      DatapointsToAlarm: alarm.periods?.least ?? 1,
      TreatMissingData: alarm.missingData ?? 'notBreaching',
      ...(topic === undefined ? {} : { AlarmActions: [topic], OKActions: [topic] }),
    },
  });
  return Object.fromEntries(alarms.map((alarm) => [`${alarm.id}Alarm`, resourceOf(alarm)]));
}

function watching({ metrics, periodSeconds, missingData }: Alarm): Record<string, unknown> {
  const all = metrics.map(({ namespace, metric, dimensions }) => ({
    Namespace: namespace,
    MetricName: metric,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
  }));
  const [only, ...others] = all;
  if (others.length === 0) return { ...only, Statistic: metrics[0]?.statistic, Period: periodSeconds };
  // Of several metrics, data that is missing in some is not missing in the expression.
  if (missingData) throw new Error('an alarm of several metrics does not see what is missing in one of them');
  const ids = all.map((_, index) => `m${index + 1}`);
  return {
    Metrics: [
      {
        Id: 'worst',
        Label: 'worst',
        // Queues without messages, and functions that do not run, have no data.
        Expression: `MAX([${ids.map((id) => `FILL(${id}, 0)`).join(', ')}])`,
        ReturnData: true,
      },
      ...all.map((Metric, index) => ({
        Id: ids[index],
        MetricStat: { Metric, Period: periodSeconds, Stat: metrics[index]?.statistic },
        ReturnData: false,
      })),
    ],
  };
}

/**
 * What has not arrived yet is filled in as 0. So an expression is evaluated over more periods than have to breach, or else the
 * latest one, whose data comes late, would keep it from firing.
 */
export const evenIfLate = {
  minutely: { of: 5, least: 1 },
  once: { of: 2, least: 1 },
  /** For a quarter of an hour, in periods of five minutes. */
  persisting: { of: 4, least: 3 },
};

/** A logical id has only letters and digits, and a cluster can have any name. */
export function idOf(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const readable = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  // Distinguishes names that differ only in omitted characters, or in capitals.
  return /^[a-z0-9]+$/.test(text) ? readable : `${readable}${hash('sha256', text).slice(0, 8)}`;
}
