import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Measurement } from '../runtime/metrics.ts';
import type { ElectedForwarder } from './elected-forwarder.ts';
import { type Stats, statsOf } from './stats.ts';

const everyMs = 60_000;

export interface MeasureOptions {
  cluster: string;
  log: Log;
  clock: Clock;
  signal: AbortSignal;
}

/** Reported as current values. */
const currentValues = [
  ['MessagesWaiting', 'Count', 'waiting'],
  ['MessagesInFlight', 'Count', 'inFlight'],
  ['UnfinishedObjects', 'Count', 'unfinished'],
  ['UnarchivedBytes', 'Bytes', 'unarchivedBytes'],
  ['Volumes', 'Count', 'volumes'],
  ['VolumesKept', 'Count', 'keptVolumes'],
] as const;
/** The end of a run is not a delay, although the server no longer responds to it: the next run has taken over by then. */
const delays = [
  ['ForwarderLag', 'Seconds', 'lagSeconds'],
  ['CheckpointAge', 'Seconds', 'checkpointAgeSeconds'],
] as const;
/** In a quiet cluster the checkpoint is about a minute old, and in a busy one it may be older for a while. */
const checkpointSlackSeconds = 180;
/** Reported as increases since the last report. */
const counters = [
  ['MessagesForwarded', 'sent'],
  ['MessagesRetried', 'retried'],
  ['MessagesDeferred', 'deferred'],
  ['ForwarderLists', 'lists'],
  ['WatchFailures', 'watchFailures'],
] as const;

/** Reports the state of a cluster's forwarder to CloudWatch each minute and at the end. A waiting one reports nothing. */
export async function measureEachMinute(
  lead: ElectedForwarder,
  { cluster, log, clock, signal }: MeasureOptions,
): Promise<void> {
  const dimensions = { Cluster: cluster };
  let previous: Partial<Stats> = {};
  let last = lead.lastTerm;
  while (!signal.aborted) {
    await clock.pause(everyMs, signal);
    const term = lead.lastTerm;
    if (!term) continue;
    // A run may acquire a lost lease again: counters restart with each term.
    if (term !== last) previous = {};
    last = term;
    const stats = statsOf(term, clock);
    const measurements = [
      ...(signal.aborted ? [] : [...delays.map((each) => currentMeasurement(each, stats)), delayOf(stats)]),
      ...currentValues.map((each) => currentMeasurement(each, stats)),
      ...counters.map((each) => increaseMeasurement(each, stats, previous)),
    ];
    log.measure(...measurements.map((each) => ({ ...each, dimensions })));
    previous = stats;
  }
}

/** How far the forwarder is behind, in whichever way: what the alarm watches. */
function delayOf({ lagSeconds, checkpointAgeSeconds }: Stats): Measured {
  const value = Math.max(lagSeconds, checkpointAgeSeconds - checkpointSlackSeconds);
  return { name: 'ForwarderDelay', unit: 'Seconds', value };
}

type Measured = Omit<Measurement, 'dimensions'>;
type CurrentValue = (typeof currentValues | typeof delays)[number];
type Counter = (typeof counters)[number];

function currentMeasurement([name, unit, field]: CurrentValue, stats: Stats): Measured {
  return { name, unit, value: stats[field] };
}

function increaseMeasurement([name, field]: Counter, stats: Stats, previous: Partial<Stats>): Measured {
  return { name, unit: 'Count', value: stats[field] - (previous[field] ?? 0) };
}
