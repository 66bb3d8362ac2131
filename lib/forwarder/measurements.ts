import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Measurement } from '../runtime/metrics.ts';
import type { Lead } from './lead.ts';
import { type Stats, statsOf } from './stats.ts';

const everyMs = 60_000;

export interface Measuring {
  cluster: string;
  log: Log;
  clock: Clock;
  signal: AbortSignal;
}

/** Measured as current values. */
const present = [
  ['MessagesWaiting', 'Count', 'waiting'],
  ['MessagesInFlight', 'Count', 'inFlight'],
  ['UnfinishedObjects', 'Count', 'unfinished'],
  ['UnarchivedBytes', 'Bytes', 'unarchivedBytes'],
  ['Volumes', 'Count', 'volumes'],
  ['VolumesKept', 'Count', 'keptVolumes'],
] as const;
/** The end of a run is not a delay, although the server is no longer heard from: the next run has taken over by then. */
const delays = [
  ['ForwarderLag', 'Seconds', 'lagSeconds'],
  ['CheckpointAge', 'Seconds', 'checkpointAgeSeconds'],
] as const;
/** Measured as increases since the last time. */
const counted = [
  ['MessagesForwarded', 'sent'],
  ['MessagesRetried', 'retried'],
  ['MessagesDeferred', 'deferred'],
  ['ForwarderLists', 'lists'],
  ['WatchFailures', 'watchFailures'],
] as const;

/** Reports the state of a cluster's forwarder to CloudWatch each minute and at the end. One that waits reports nothing. */
export async function measureEachMinute(lead: Lead, { cluster, log, clock, signal }: Measuring): Promise<void> {
  const dimensions = { Cluster: cluster };
  let previous: Partial<Stats> = {};
  let last = lead.lastTerm;
  while (!signal.aborted) {
    await clock.pause(everyMs, signal);
    const term = lead.lastTerm;
    if (!term) continue;
    // A run that has lost its lease may have had it again: its counters begin anew with each term.
    if (term !== last) previous = {};
    last = term;
    const stats = statsOf(term, clock);
    const measurements = [
      ...(signal.aborted ? [] : delays.map((each) => asItIs(each, stats))),
      ...present.map((each) => asItIs(each, stats)),
      ...counted.map((each) => increaseOf(each, stats, previous)),
    ];
    log.measure(...measurements.map((each) => ({ ...each, dimensions })));
    previous = stats;
  }
}

type Measured = Omit<Measurement, 'dimensions'>;
type Present = (typeof present | typeof delays)[number];
type Counted = (typeof counted)[number];

function asItIs([name, unit, field]: Present, stats: Stats): Measured {
  return { name, unit, value: stats[field] };
}

function increaseOf([name, field]: Counted, stats: Stats, previous: Partial<Stats>): Measured {
  return { name, unit: 'Count', value: stats[field] - (previous[field] ?? 0) };
}
