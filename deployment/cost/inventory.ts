import { type MetricDefinition, metricDefinitions, type Reported } from '../../lib/runtime/metric-definitions.ts';
import type { PackagedService } from '../serverless/packaged-service.ts';
import type { Parameters } from '../serverless/parameters.ts';
import { type FunctionBlock, queueOf, type Resource } from '../serverless/service.ts';
import { pollers, secondsOfMonth, valuesOf } from './assumptions.ts';

export interface BilledFunction {
  name: string;
  megabytes: number;
  timeoutSeconds: number;
  /** How often schedules start it in a month, all together, and how many schedules there are. */
  starts: number;
  schedules: number;
  /** The connections by which Lambda asks its queue for messages; 0 without an event source mapping at work. */
  pollers: number;
}

/** What a deployment has that AWS bills. */
export interface Inventory {
  clusters: number;
  architecture: 'arm64' | 'x86_64';
  functions: BilledFunction[];
  queues: number;
  /** The metrics that alarms watch. */
  alarms: { standard: number; highResolution: number; composite: number; all: number };
  /** How many metrics there are of each name. */
  metrics: { name: string; reported: Reported; count: number }[];
  dashboards: { metrics: number }[];
  secrets: number;
  keys: number;
  /** Whether what is sent is archived, and for how many days. */
  archiveDays: number;
  logDays: number;
}

/** Reads from the packaged service what is billed, so that nothing deployed is left out. */
export function inventoryOf(
  { functions, provider, resources }: PackagedService,
  parameters: Parameters,
  definitions: Readonly<Record<string, MetricDefinition>> = metricDefinitions,
): Inventory {
  const all = Object.values(resources.Resources);
  const ofType = (type: string) => all.filter(({ Type }) => Type === type);
  const callers = Object.values(functions).filter(({ clusters }) => clusters !== false).length;
  const inSecrets = parameters.clusters.filter(
    ({ access }) => 'from' in access && access.from.startsWith('secretsmanager:'),
  );
  const valuesOfSet = (set: readonly string[]) =>
    set.reduce((product, name) => product * valuesIn(name, functions, parameters), 1);
  return {
    clusters: parameters.clusters.length,
    architecture: parameters.architecture,
    functions: Object.entries(functions).map(([name, block]) => billedFunction(name, block, provider.memorySize)),
    queues: ofType('AWS::SQS::Queue').length,
    alarms: alarmsIn(all),
    metrics: Object.entries(definitions).map(([name, { by, reported }]) => ({
      name,
      reported,
      // A forwarder that runs elsewhere as a process reports to Prometheus.
      count:
        reported === 'each minute' && !parameters['forward-schedule']
          ? 0
          : by.reduce((sum, set) => sum + valuesOfSet(set), 0),
    })),
    dashboards: ofType('AWS::CloudWatch::Dashboard').map((dashboard) => ({ metrics: metricsShown(dashboard) })),
    secrets: inSecrets.length * callers,
    keys: ofType('AWS::KMS::Key').length,
    archiveDays: parameters.archive ? parameters['archive-days'] : 0,
    logDays: parameters['log-retention-days'],
  };
}

function billedFunction(name: string, block: FunctionBlock, defaultMegabytes: number): BilledFunction {
  const { events = [], memorySize = defaultMegabytes, timeout = 6 } = block;
  const schedules = events.flatMap(({ schedule }) => (schedule === undefined ? [] : [schedule]));
  const rates = schedules.flatMap((schedule) => (typeof schedule === 'string' ? [schedule] : schedule.rate));
  const mapping = events.find(({ sqs }) => sqs !== undefined && sqs.enabled !== false)?.sqs;
  const connections = mapping?.maximumConcurrency === undefined ? pollers.otherwise : pollers.withMaximum;
  return {
    name,
    megabytes: Number(memorySize),
    timeoutSeconds: Number(timeout),
    starts: rates.reduce((sum, rate) => sum + secondsOfMonth / secondsOf(rate), 0),
    schedules: schedules.length,
    pollers: mapping && queueOf(block) ? connections : 0,
  };
}

const unitSeconds: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

function secondsOf(rate: string): number {
  const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rate) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? Number.NaN);
  if (!(seconds > 0)) throw new Error(`nobody knows how often ${rate} is`);
  return seconds;
}

interface AlarmProperties {
  Period?: number;
  Metrics?: { MetricStat?: { Period: number } }[];
}

/** AWS bills an alarm for each metric of its expression. */
function alarmsIn(resources: readonly Resource[]): Inventory['alarms'] {
  const alarms = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  const composite = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::CompositeAlarm').length;
  const periods = alarms.flatMap(({ Properties }) => {
    const { Period = 60, Metrics } = Properties as AlarmProperties;
    return Metrics?.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Period] : [])) ?? [Period];
  });
  const standard = periods.filter((seconds) => seconds >= 60).length;
  return { standard, highResolution: periods.length - standard, composite, all: alarms.length + composite };
}

function valuesIn(
  dimension: string,
  functions: PackagedService['functions'],
  { clusters, drivers }: Parameters,
): number {
  const counted: Readonly<Record<string, number>> = {
    ...valuesOf,
    Cluster: clusters.length,
    cluster: clusters.length,
    Function: Object.values(functions).filter((block) => queueOf(block) !== undefined).length,
    driver: drivers.length,
  };
  const found = counted[dimension];
  if (found === undefined) throw new Error(`nobody knows how many values the dimension ${dimension} has`);
  return found;
}

interface DashboardBody {
  widgets: { type: string; properties: { metrics?: unknown[] } }[];
}

function metricsShown({ Properties: { DashboardBody: body } }: Resource): number {
  const text = typeof body === 'string' ? body : String((body as { 'Fn::Sub': string })['Fn::Sub']);
  const { widgets } = JSON.parse(text) as DashboardBody;
  return widgets.reduce((sum, { properties }) => sum + (properties.metrics?.length ?? 0), 0);
}
