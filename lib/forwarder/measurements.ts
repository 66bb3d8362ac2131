import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Figures, figuresOf } from './figures.ts';
import type { Lead } from './lead.ts';

const everyMs = 60_000;

export interface Measuring {
  cluster: string;
  log: Log;
  clock: Clock;
  signal: AbortSignal;
}

const counted = { MessagesForwarded: 'sent', MessagesRetried: 'retried', ForwarderLists: 'lists' } as const;

/** Tells CloudWatch each minute, and at the end, how the forwarder of a cluster gets on. One that waits tells nothing. */
export async function measureEachMinute(lead: Lead, { cluster, log, clock, signal }: Measuring): Promise<void> {
  const dimensions = { Cluster: cluster };
  let told: Partial<Figures> = {};
  let last = lead.lastTerm;
  while (!signal.aborted) {
    await clock.pause(everyMs, signal);
    const term = lead.lastTerm;
    if (!term) continue;
    // A run that has lost its lease may have had it again: its counters begin anew with each term.
    if (term !== last) told = {};
    last = term;
    const figures = figuresOf(term, clock);
    if (!signal.aborted) measureDelays(log, figures, dimensions);
    for (const [name, field] of Object.entries(counted) as [keyof typeof counted, 'sent' | 'retried' | 'lists'][]) {
      log.measure({ name, unit: 'Count', value: figures[field] - (told[field] ?? 0), dimensions });
    }
    told = figures;
  }
}

/** When a run is over nothing is heard of the server any more, which is no delay: the next run has taken over by then. */
function measureDelays(log: Log, figures: Figures, dimensions: Record<string, string>): void {
  log.measure({ name: 'ForwarderLag', unit: 'Seconds', value: figures.lagSeconds, dimensions });
  log.measure({ name: 'CheckpointAge', unit: 'Seconds', value: figures.checkpointAgeSeconds, dimensions });
}
