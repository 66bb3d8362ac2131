/** CloudWatch as far as alarms need it: values of metrics by period, newest last; undefined where there is no data. */
export type Series = readonly (number | undefined)[];

export interface AlarmProperties {
  AlarmName: string;
  AlarmDescription: string;
  Namespace?: string;
  MetricName?: string;
  Dimensions?: Dimension[];
  Period?: number;
  Statistic?: string;
  Metrics?: Query[];
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm: number;
  TreatMissingData: string;
  AlarmActions?: string[];
}

export interface Dimension {
  Name: string;
  Value: unknown;
}

export interface WatchedMetric {
  Namespace: string;
  MetricName: string;
  Dimensions: Dimension[];
}

interface Query {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: WatchedMetric; Period: number; Stat: string };
  ReturnData: boolean;
}

/** The metrics that an alarm watches, in whichever way. */
export function watchedBy({
  Namespace = '',
  MetricName = '',
  Dimensions = [],
  Metrics,
}: AlarmProperties): WatchedMetric[] {
  if (Metrics) return Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
  return [{ Namespace, MetricName, Dimensions }];
}

/** What is not documented of expressions, and may be either way. */
export interface Doubts {
  /** FILL makes a series of a metric that has no data at all. */
  fillsNothing: boolean;
  /** MAX of several series has a value where only some of them have. */
  skipsMissing: boolean;
}

/** Whether an alarm fires, given the values of each metric that it watches. */
export function fires(alarm: AlarmProperties, valuesOf: (metric: WatchedMetric) => Series, doubts: Doubts): boolean {
  const { EvaluationPeriods, DatapointsToAlarm, Threshold, TreatMissingData } = alarm;
  const series = alarm.Metrics ? ofExpression(alarm.Metrics, valuesOf, doubts) : valuesOf(only(watchedBy(alarm)));
  // Of a few more periods than are evaluated CloudWatch takes the latest values. Only if these are too few, others are missing.
  const known = series.slice(-EvaluationPeriods - extraPeriods).filter((value) => value !== undefined);
  const missing = Math.max(0, EvaluationPeriods - known.length);
  const breaching = known.slice(-EvaluationPeriods).filter((value) => value > Threshold).length;
  return breaching + (TreatMissingData === 'breaching' ? missing : 0) >= DatapointsToAlarm;
}

const extraPeriods = 2;

function ofExpression(queries: readonly Query[], valuesOf: (metric: WatchedMetric) => Series, doubts: Doubts): Series {
  const expression = queries.find(({ ReturnData }) => ReturnData)?.Expression ?? '';
  const [, list = ''] = /^MAX\(\[(.+)\]\)$/.exec(expression) ?? [];
  const filled = list.split(/, (?=FILL)/).map((each) => {
    const [, id = '', value = ''] = /^FILL\((m\d+), (\d+)\)$/.exec(each) ?? [];
    const metric = queries.find((query) => query.Id === id)?.MetricStat?.Metric;
    if (!metric) throw new Error(`no expression that CloudWatch would take here: ${expression}`);
    const values = valuesOf(metric);
    const isSilent = values.every((each) => each === undefined);
    return isSilent && !doubts.fillsNothing ? values : values.map((each) => each ?? Number(value));
  });
  const periods = Math.max(...filled.map(({ length }) => length));
  return Array.from({ length: periods }, (_, index) => {
    const there = filled.map((values) => values[index]).filter((value) => value !== undefined);
    const isThere = doubts.skipsMissing ? there.length > 0 : there.length === filled.length;
    return isThere ? Math.max(...there) : undefined;
  });
}

function only(metrics: readonly WatchedMetric[]): WatchedMetric {
  const [first] = metrics;
  if (!first) throw new Error('the alarm watches nothing');
  return first;
}
