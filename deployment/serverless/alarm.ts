import { hash } from 'node:crypto';
import type { DeploymentContext } from './deployment-context.ts';
import type { Resource } from './service.ts';

/** The properties in which alarms differ. */
export interface Alarm {
  /** The end of its logical id. */
  id: string;
  /** The end of its name. */
  name: string;
  /** Its meaning, and what to do, for the person on call. */
  description: string;
  namespace: 'AWS/SQS' | 'AWS/Lambda' | 'AWS/Events' | 'Longshore';
  metric: string;
  dimensions: Record<string, unknown>;
  statistic: 'Sum' | 'Maximum';
  /** It fires when the value is greater than this. */
  above: number;
  periodSeconds: number;
  /** In at least `least` of `of` periods. */
  periods?: { of: number; least: number };
  /** The treatment of missing data: not breaching by default, breaching, or ignored. */
  missingData?: 'breaching' | 'ignore';
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
      Namespace: alarm.namespace,
      MetricName: alarm.metric,
      Dimensions: Object.entries(alarm.dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistic: alarm.statistic,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: alarm.above,
      Period: alarm.periodSeconds,
      EvaluationPeriods: alarm.periods?.of ?? 1,
      DatapointsToAlarm: alarm.periods?.least ?? 1,
      TreatMissingData: alarm.missingData ?? 'notBreaching',
      ...(topic === undefined ? {} : { AlarmActions: [topic], OKActions: [topic] }),
    },
  });
  return Object.fromEntries(alarms.map((alarm) => [`${alarm.id}Alarm`, resourceOf(alarm)]));
}

/** A logical id has only letters and digits, and a cluster can have any name. */
export function idOf(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const readable = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  // Distinguishes names that differ only in omitted characters, or in capitals.
  return /^[a-z0-9]+$/.test(text) ? readable : `${readable}${hash('sha256', text).slice(0, 8)}`;
}
