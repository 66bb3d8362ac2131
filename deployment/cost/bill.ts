import type { Reported } from '../../lib/runtime/metric-definitions.ts';
import * as assumed from './assumptions.ts';
import type { BilledFunction, Inventory } from './inventory.ts';
import type { Prices } from './prices.ts';

export interface BillLine {
  item: string;
  /** What the amount depends on. */
  drivenBy: string;
  quantity: number;
  unit: string;
  /** Of one unit. */
  price: number;
  /** A month. */
  dollars: number;
}

const { daysOfMonth, hoursOfMonth, secondsOfMonth } = assumed;

/** What a deployment costs in a month, with so many changes a day in each of its clusters. */
export function billOf(inventory: Inventory, changesOfDay: number, prices: Prices): BillLine[] {
  const messages = inventory.clusters * changesOfDay * daysOfMonth;
  return [
    ...lambdaLines(inventory, messages, prices),
    ...queueLines(inventory, messages, prices),
    ...watchingLines(inventory, changesOfDay * inventory.clusters, prices),
    ...logLines(inventory, messages, prices),
    ...storedLines(inventory, changesOfDay, prices),
  ].filter(({ quantity }) => quantity > 0);
}

function line(item: string, drivenBy: string, quantity: number, unit: string, price: number): BillLine {
  return { item, drivenBy, quantity, unit, price, dollars: quantity * price };
}

function lambdaLines({ functions, architecture, clusters }: Inventory, messages: number, prices: Prices): BillLine[] {
  const price = prices.lambdaGigabyteSecond[architecture];
  const forwarders = functions.filter(isForwarder);
  const steps = functions.filter(({ pollers }) => pollers > 0);
  const others = functions.filter((each) => each.starts > 0 && !isForwarder(each));
  const ofEach = (all: readonly BilledFunction[], secondsOf: (each: BilledFunction) => number) =>
    all.reduce((sum, each) => sum + (secondsOf(each) * each.megabytes) / 1_024, 0);
  const ofStep = (messages * assumed.stepSeconds) / Math.max(1, steps.length);
  const starts = functions.reduce((sum, each) => sum + each.starts, 0);
  return [
    line('forwarder', 'clusters, its memory', ofEach(forwarders, secondsOfForwarder), 'GB-s', price),
    line(
      'steps',
      'changes',
      ofEach(steps, () => ofStep),
      'GB-s',
      price,
    ),
    line(
      'other scheduled runs',
      'clusters, schedules',
      ofEach(others, ({ starts: runs }) => runs * clusters * assumed.scheduledRunSeconds),
      'GB-s',
      price,
    ),
    line('invocations', 'schedules, changes', (starts + messages) / 1e6, 'million', prices.lambdaMillionRequests),
  ];
}

/** One run of each schedule is always at work; only its starts are as frequent as they are. */
const isForwarder = ({ starts, schedules, timeoutSeconds }: BilledFunction): boolean =>
  schedules > 0 && (starts / schedules) * timeoutSeconds > secondsOfMonth;

function secondsOfForwarder({ schedules, starts, timeoutSeconds }: BilledFunction): number {
  const handovers = (schedules * secondsOfMonth) / timeoutSeconds;
  return (
    schedules * secondsOfMonth + handovers * assumed.handoverSeconds + (starts - handovers) * assumed.idleStartSeconds
  );
}

function queueLines({ functions }: Inventory, messages: number, prices: Prices): BillLine[] {
  const connections = functions.reduce((sum, { pollers }) => sum + pollers, 0);
  const polls = (connections * secondsOfMonth) / assumed.pollSeconds;
  const price = prices.sqsMillionFifoRequests;
  return [
    line('polling', 'queues that are polled', polls / 1e6, 'million calls', price),
    line('messages', 'changes', (messages * assumed.callsOfMessage) / 1e6, 'million calls', price),
  ];
}

function watchingLines({ alarms, metrics, dashboards }: Inventory, changes: number, prices: Prices): BillLine[] {
  const inUse = metrics.reduce((sum, { count, reported }) => sum + count * shareOfHours(reported, changes), 0);
  const billed = dashboards.filter((dashboard) => dashboard.metrics > assumed.freeDashboardMetrics);
  return [
    line('alarms', 'metrics that alarms watch', alarms.standard, 'metrics', prices.alarmMetric),
    line(
      'alarms',
      'fast metrics that alarms watch',
      alarms.highResolution,
      'metrics',
      prices.highResolutionAlarmMetric,
    ),
    line('composite alarms', 'composite alarms', alarms.composite, 'alarms', prices.compositeAlarm),
    line('metrics', 'metrics with data', inUse, 'metrics', prices.customMetric),
    line(
      'dashboard',
      `more than ${assumed.freeDashboardMetrics} metrics on it`,
      billed.length,
      'dashboards',
      prices.dashboard,
    ),
  ];
}

/** In which part of the hours of a month a metric has data, with so many changes a day. */
function shareOfHours(reported: Reported, changes: number): number {
  const within = (each: number) => Math.min(1, each / 24);
  switch (reported) {
    case 'each minute':
      return 1;
    case 'each day':
      return 1 / 24;
    case 'with each batch':
      return within(changes);
    case 'with each result':
      return within(changes * assumed.resultsOfChange);
    // A deployment in which everything works.
    case 'with each failure':
      return 0;
  }
}

function logLines({ clusters, functions, logDays }: Inventory, messages: number, prices: Prices): BillLine[] {
  const minutes = functions.filter(isForwarder).length * clusters * (secondsOfMonth / 60);
  const gigabytes = (minutes * assumed.logBytesOfMinute + messages * assumed.logBytesOfMessage) / 1e9;
  const kept = gigabytes * assumed.keptShareOfLog * (logDays / daysOfMonth);
  return [
    line('log', 'clusters, changes', gigabytes, 'GB', prices.logGigabyte),
    line('log that is kept', 'log-retention-days', kept, 'GB-months', prices.keptLogGigabyte),
  ];
}

function storedLines(inventory: Inventory, changesOfDay: number, prices: Prices): BillLine[] {
  const { clusters, secrets, keys, archiveDays, functions, queues } = inventory;
  const segments =
    archiveDays > 0 ? clusters * daysOfMonth * Math.min(changesOfDay, 86_400 / assumed.segmentSeconds) : 0;
  const archived = (clusters * changesOfDay * archiveDays * assumed.archivedBytesOfMessage) / 1e9;
  // Each function and each queue asks for a data key once an hour.
  const keyCalls = keys > 0 ? (functions.length + queues) * hoursOfMonth : 0;
  return [
    line('archive', 'changes', segments / 1_000, 'thousand puts', prices.thousandPuts),
    line('archive that is kept', 'changes, archive-days', archived, 'GB-months', prices.archivedGigabyte),
    line('secrets', 'clusters, functions', secrets, 'secrets', prices.secret),
    line('key', 'kms-key', keys, 'keys', prices.key),
    line('calls for the key', 'kms-key', keyCalls / 10_000, 'ten thousand calls', prices.tenThousandKeyRequests),
  ];
}
