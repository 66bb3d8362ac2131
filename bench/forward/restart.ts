import { setTimeout as pause } from 'node:timers/promises';
import { inParallel } from './api-requests.ts';
import type { Arrival } from './arrival.ts';
import { type ClaimShape, keyOf } from './claims.ts';
import { nowMs } from './clock.ts';
import type { Contender } from './contenders.ts';
import type { ForwarderProcess } from './forwarder-process.ts';
import { type LedgerEntry, lastVersion } from './ledger.ts';
import type { QueueStandIn } from './queue/queue-stand-in.ts';
import type { Settings } from './settings.ts';
import { type Site, withForwarder, withSite } from './site.ts';

export interface RestartFigures {
  contender: Contender;
  /** From the start of the new process until a message about the last state of every existing claim is on the queue. */
  untilAllMs: number;
  sentTwice: number;
  /** The number of claims without a message about their last state, by their fate. */
  lost: Record<Fate, number>;
  /** The number of claims with each fate. */
  had: number;
}

/** The event for some of the claims while no forwarder runs; the others are unchanged. */
type Fate = 'changed' | 'deleted with our finalizer' | 'deleted without it';

const roundTripMs = 5;
const pollMs = 2;
const width = 32;
const fates: Fate[] = ['changed', 'deleted with our finalizer', 'deleted without it'];

/**
 * Measures the cost of a crash: a forwarder is killed in the middle of its backlog, and is away while claims are
 * changed and deleted.
 */
export async function restart(
  queue: QueueStandIn,
  settings: Settings,
  progress: (line: string) => void,
): Promise<RestartFigures[]> {
  const figures: RestartFigures[] = [];
  for (const contender of settings.contenders) {
    progress(`killed in the middle of ${settings.restartClaims}: ${contender.title}`);
    figures.push(await withSite(queue, progress, (site) => killAndRestart(site, contender, settings)));
  }
  return figures;
}

async function killAndRestart(site: Site, contender: Contender, settings: Settings): Promise<RestartFigures> {
  const { claims, queue } = site;
  const { restartClaims, restartChanges: had } = settings;
  const fateOf = fatesAmong(restartClaims, had);
  await claims.createMany(0, restartClaims, (index) => shapeFor(fateOf.get(index)));
  await queue.reset(roundTripMs);
  await withForwarder(site, contender, async (process) => {
    await untilCount(queue, Math.floor(restartClaims / 2), process);
    await process.kill();
  });
  await inParallel(restartClaims, width, async (index) => {
    const fate = fateOf.get(index);
    if (fate === 'changed') await claims.change(index);
    else if (fate) await claims.remove(index, shapeFor(fate));
  });
  const started = nowMs();
  return withForwarder(site, contender, async (process, arrivals) => {
    const entries = claims.ledger.entries();
    const missing = new Set((await arrivals.untilAll(entries, process)).map(({ key }) => key));
    const lost = { changed: 0, 'deleted with our finalizer': 0, 'deleted without it': 0 };
    for (const [index, fate] of fateOf) if (missing.has(keyOf(index))) lost[fate] += 1;
    const there = entries.filter(({ isGone, key }) => !isGone && !missing.has(key));
    const untilAllMs = lastNeeded(there, arrivals.all) - started;
    return { contender, untilAllMs, sentTwice: sentTwice(arrivals.all), lost, had };
  });
}

/** Spread evenly, so that some claims of each fate were forwarded before the crash and some were not. */
function fatesAmong(claims: number, each: number): Map<number, Fate> {
  const stride = Math.floor(claims / (each * fates.length));
  if (stride < 1) throw new Error(`${claims} claims are too few for ${each} of each of ${fates.length} fates`);
  const fateOf = new Map<number, Fate>();
  for (let turn = 0; turn < each * fates.length; turn += 1) {
    const fate = fates[turn % fates.length];
    if (fate) fateOf.set(turn * stride, fate);
  }
  return fateOf;
}

function shapeFor(fate: Fate | undefined): ClaimShape {
  return { isOffered: true, isFenced: fate === 'deleted with our finalizer' };
}

async function untilCount(queue: QueueStandIn, count: number, process: ForwarderProcess): Promise<void> {
  while ((await queue.count()) < count) {
    await process.requireRunning();
    await pause(pollMs);
  }
}

/** The arrival of the first message about the last state of a claim, for the claim whose message came last. */
function lastNeeded(entries: LedgerEntry[], arrivals: Arrival[]): number {
  const byKey = Map.groupBy(arrivals, ({ key }) => key);
  const times = entries.map((entry) => {
    const arrival = byKey.get(entry.key)?.find(({ version }) => (version ?? 0) >= lastVersion(entry));
    return arrival?.at ?? 0;
  });
  return times.reduce((latest, at) => Math.max(latest, at), 0);
}

function sentTwice(arrivals: Arrival[]): number {
  return arrivals.length - new Set(arrivals.map(({ id }) => id)).size;
}
