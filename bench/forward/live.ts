import type { Arrival } from './arrival.ts';
import { outOfOrder } from './arrivals.ts';
import type { Contender } from './contenders.ts';
import type { LedgerEntry } from './ledger.ts';
import { atPace } from './pace.ts';
import type { QueueStandIn } from './queue/queue-stand-in.ts';
import { roundTripsMs, type Settings } from './settings.ts';
import { type Site, withForwarder, withSite } from './site.ts';

export interface LiveFigures {
  contender: Contender;
  roundTripMs: number;
  changes: number;
  messages: number;
  /** From the API server's response to a write until a message about that version, or a newer one, is on the queue. */
  medianMs: number;
  p99Ms: number;
  cpuMicrosecondsPerChange: number;
  outOfOrder: number;
}

/** Measures how soon changes are on the queue while more follow. */
export function live(
  queue: QueueStandIn,
  settings: Settings,
  progress: (line: string) => void,
): Promise<LiveFigures[]> {
  return withSite(queue, progress, async (site) => {
    await site.claims.createMany(0, settings.liveClaims, () => ({ isOffered: true, isFenced: false }));
    const figures: LiveFigures[] = [];
    for (const contender of settings.contenders) {
      for (const roundTripMs of roundTripsMs)
        figures.push(await changeAndWatch(site, contender, roundTripMs, settings));
    }
    return figures;
  });
}

async function changeAndWatch(
  site: Site,
  contender: Contender,
  roundTripMs: number,
  { liveClaims, liveSeconds, changesPerSecond }: Settings,
): Promise<LiveFigures> {
  const { claims, progress } = site;
  progress(`${changesPerSecond} changes a second at ${roundTripMs} ms: ${contender.title}`);
  const entries = claims.ledger.entries();
  await site.forget();
  await site.queue.reset(roundTripMs);
  return withForwarder(site, contender, async (process, arrivals) => {
    await requireAll(contender, arrivals.untilAll(entries, process));
    const before = new Map(entries.map(({ key, versions }) => [key, versions.length]));
    const [cpuBefore, messagesBefore] = [await process.cpuMs(), arrivals.all.length];
    await atPace(changesPerSecond, liveSeconds, (index) => claims.change(index % liveClaims));
    await requireAll(contender, arrivals.untilAll(entries, process));
    const cpuMs = (await process.cpuMs()) - cpuBefore;
    const latencies = latenciesOf(entries, before, arrivals.all).sort((one, other) => one - other);
    return {
      contender,
      roundTripMs,
      changes: latencies.length,
      messages: arrivals.all.length - messagesBefore,
      medianMs: atShare(latencies, 0.5),
      p99Ms: atShare(latencies, 0.99),
      cpuMicrosecondsPerChange: (cpuMs * 1_000) / latencies.length,
      outOfOrder: outOfOrder(arrivals.all),
    };
  });
}

async function requireAll(contender: Contender, missing: Promise<LedgerEntry[]>): Promise<void> {
  const { length } = await missing;
  if (length > 0) throw new Error(`${contender.title} never forwarded the last state of ${length} claims`);
}

function latenciesOf(entries: LedgerEntry[], before: Map<string, number>, arrivals: Arrival[]): number[] {
  const byKey = Map.groupBy(arrivals, ({ key }) => key);
  return entries.flatMap(({ key, versions }) => {
    const ofClaim = byKey.get(key) ?? [];
    return versions.slice(before.get(key)).map(({ version, at }) => {
      const arrival = ofClaim.find((each) => (each.version ?? 0) >= version);
      if (!arrival) throw new Error(`nothing has come of version ${version} of ${key}`);
      return arrival.at - at;
    });
  });
}

function atShare(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
