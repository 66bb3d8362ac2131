import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from './clock.ts';
import { type Contender, ours } from './contenders.ts';
import type { ForwarderProcess } from './forwarder-process.ts';
import { atPace } from './pace.ts';
import type { QueueStandIn } from './queue/queue-stand-in.ts';
import type { Settings } from './settings.ts';
import { type Site, withForwarder, withSite } from './site.ts';

export interface MemoryFigures {
  contender: Contender;
  churnSeconds: number;
  /** The maximum, with everything listed and under churn. */
  peakMb: number;
  peakWhenListedMb: number;
  /** From the start of the process until all claims are listed, and forwarded if they concern a key. */
  cpuMicrosecondsPerListed: number;
  /** Under churn, most of which concerns no key. */
  cpuMicrosecondsPerChange: number;
  /** The maximum in the first and in the last third of the churn. */
  firstThirdMb: number;
  lastThirdMb: number;
}

interface Sample {
  at: number;
  mb: number;
}

const sampleMs = 500;
/** Most claims concern no key. */
const offeredOneIn = 10;
/** After this many changes a claim is removed and another one created: names must be forgotten too. */
const replacedOneIn = 20;
/**
 * Consecutive changes are far apart in the list, and each claim has its turn: this has no common factor with the
 * counts.
 */
const stride = 7_919;

export function memory(
  queue: QueueStandIn,
  settings: Settings,
  progress: (line: string) => void,
): Promise<MemoryFigures[]> {
  return withSite(queue, progress, async (site) => {
    const started = nowMs();
    await site.claims.createMany(0, settings.heldClaims, shapeOf);
    progress(`${settings.heldClaims} claims made in ${Math.round((nowMs() - started) / 1_000)} s`);
    const churn = new Churn(site, settings);
    const figures: MemoryFigures[] = [];
    // The one-at-a-time baseline does not differ in anything that takes memory.
    for (const contender of settings.contenders.filter(({ name }) => name !== 'one-at-a-time')) {
      figures.push(await listAndChurn(site, contender, churn, settings));
    }
    return figures;
  });
}

function shapeOf(index: number) {
  return { isOffered: index % offeredOneIn === 0, isFenced: false };
}

async function listAndChurn(site: Site, contender: Contender, churn: Churn, settings: Settings) {
  const churnSeconds = contender === ours ? settings.churnSeconds : settings.shortChurnSeconds;
  site.progress(`${settings.heldClaims} claims, then ${churnSeconds} s of churn: ${contender.title}`);
  await site.queue.reset(0);
  return withForwarder(site, contender, async (process, arrivals) => {
    const offered = churn.offered();
    const missing = await arrivals.untilAll(offered, process);
    if (missing.length > 0) throw new Error(`${contender.title} never forwarded ${missing.length} claims`);
    const peakWhenListedMb = (await process.memoryMb()).peak;
    const cpuBefore = await process.cpuMs();
    const cpuMicrosecondsPerListed = (cpuBefore * 1_000) / settings.heldClaims;
    const thirds = peaksOfThirds(await sampledWhile(process, churn.run(churnSeconds)));
    const cpuMs = (await process.cpuMs()) - cpuBefore;
    const cpuMicrosecondsPerChange = (cpuMs * 1_000) / (settings.churnPerSecond * churnSeconds);
    const peakMb = (await process.memoryMb()).peak;
    const cpu = { cpuMicrosecondsPerListed, cpuMicrosecondsPerChange };
    return { contender, churnSeconds, peakMb, peakWhenListedMb, ...cpu, ...thirds };
  });
}

async function sampledWhile(process: ForwarderProcess, work: Promise<void>): Promise<Sample[]> {
  const samples: Sample[] = [];
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const sampling = async () => {
    while (!isDone) {
      await process.requireRunning();
      samples.push({ at: nowMs(), mb: (await process.memoryMb()).now });
      await pause(sampleMs);
    }
  };
  await Promise.all([ended, sampling()]);
  return samples;
}

function peaksOfThirds(samples: Sample[]): { firstThirdMb: number; lastThirdMb: number } {
  const third = Math.ceil(samples.length / 3);
  const peakOf = (some: Sample[]) => Math.max(...some.map(({ mb }) => mb));
  return { firstThirdMb: peakOf(samples.slice(0, third)), lastThirdMb: peakOf(samples.slice(-third)) };
}

/** Changes claims all over the list, and replaces some that concern no key. It continues where it stopped. */
class Churn {
  private readonly site: Site;
  private readonly settings: Settings;
  private turn = 0;
  /** The present claim in a place, for those that were replaced. */
  private readonly replacements = new Map<number, number>();
  private next: number;

  constructor(site: Site, settings: Settings) {
    this.site = site;
    this.settings = settings;
    this.next = settings.heldClaims;
  }

  /** The claims whose last states must be on the queue. */
  offered() {
    const keys = this.site.claims.offeredKeys();
    return this.site.claims.ledger.entries().filter(({ key }) => keys.has(key));
  }

  run(seconds: number): Promise<void> {
    return atPace(this.settings.churnPerSecond, seconds, () => this.step());
  }

  private async step(): Promise<void> {
    this.turn += 1;
    const place = (this.turn * stride) % this.settings.heldClaims;
    const index = this.replacements.get(place) ?? place;
    const isReplaced = this.turn % replacedOneIn === 0 && !shapeOf(place).isOffered;
    if (!isReplaced) return this.site.claims.change(index);
    this.next += 1;
    this.replacements.set(place, this.next);
    await this.site.claims.replace(index, this.next);
  }
}
