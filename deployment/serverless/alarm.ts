import { hash } from 'node:crypto';
import type { Resource } from './service.ts';
import type { Surroundings } from './surroundings.ts';

/** What CloudWatch is to watch, as far as alarms differ. */
export interface Alarm {
  /** The end of its logical id. */
  id: string;
  /** The end of its name. */
  name: string;
  /** What it means, and what to do: whoever is woken by it reads this. */
  description: string;
  namespace: 'AWS/SQS' | 'AWS/Lambda' | 'AWS/Events' | 'Longshore';
  metric: string;
  dimensions: Record<string, unknown>;
  statistic: 'Sum' | 'Maximum';
  /** It is one when the value is greater than this. */
  above: number;
  periodSeconds: number;
  /** In so many of so many periods. */
  periods?: { of: number; least: number };
  /** What silence means: nothing, unless it says that it is one too, or leaves everything as it was. */
  silence?: 'breaching' | 'ignore';
}

export function alarmResources(alarms: readonly Alarm[], { name, parameters }: Surroundings): Record<string, Resource> {
  const topic = parameters['alarm-topic'];
  const resourceOf = (alarm: Alarm): Resource => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${name}-${alarm.name}`,
      AlarmDescription: alarm.description,
      Namespace: alarm.namespace,
      MetricName: alarm.metric,
      Dimensions: Object.entries(alarm.dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistic: alarm.statistic,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: alarm.above,
      Period: alarm.periodSeconds,
      EvaluationPeriods: alarm.periods?.of ?? 1,
      DatapointsToAlarm: alarm.periods?.least ?? 1,
      TreatMissingData: alarm.silence ?? 'notBreaching',
      ...(topic === undefined ? {} : { AlarmActions: [topic], OKActions: [topic] }),
    },
  });
  return Object.fromEntries(alarms.map((alarm) => [`${alarm.id}Alarm`, resourceOf(alarm)]));
}

/** A logical id has letters and digits only, and a cluster may be called anything. */
export function idOf(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const readable = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  // Names that differ only in what is left out, or in capitals, differ in this.
  return /^[a-z0-9]+$/.test(text) ? readable : `${readable}${hash('sha256', text).slice(0, 8)}`;
}
