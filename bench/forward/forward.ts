import type { Report, Result } from '../report.ts';
import { compareAll, each } from './comparison.ts';
import { type CostFigures, type DrainFigures, drain } from './drain.ts';
import { type LiveFigures, live } from './live.ts';
import { type MemoryFigures, memory } from './memory.ts';
import { measureRoundTrip } from './queue/measured-round-trip.ts';
import { type QueueStandIn, startQueue } from './queue/queue-stand-in.ts';
import { type RestartFigures, restart } from './restart.ts';
import { readSettings, roundTripsMs, type Settings } from './settings.ts';

type Part = (queue: QueueStandIn, settings: Settings, progress: (line: string) => void) => Promise<Result[]>;

const parts: Record<string, Part> = {
  drain: async (...given) => {
    const { drains, costs } = await drain(...given);
    return [...atEach(drains, drainResults), ...atEach(costs, costResults)];
  },
  live: async (...given) => atEach(await live(...given), liveResults),
  restart: async (...given) => restartResults(await restart(...given)),
  memory: async (...given) => memoryResults(await memory(...given)),
};

/** Compares the forwarder with an informer that sends: on one API server and one stand-in for SQS, in one run. */
export async function forward(progress: (line: string) => void): Promise<Report> {
  const settings = readSettings();
  const queue = await startQueue();
  try {
    const conditions = await conditionsOf(queue, settings);
    const results: Result[] = [];
    for (const name of settings.parts) results.push(...((await parts[name]?.(queue, settings, progress)) ?? []));
    return { name: 'forward', conditions, results };
  } finally {
    await queue.stop();
  }
}

async function conditionsOf(queue: QueueStandIn, settings: Settings): Promise<Report['conditions']> {
  const measured: string[] = [];
  for (const roundTripMs of roundTripsMs) {
    measured.push(`${roundTripMs} (${(await measureRoundTrip(queue, roundTripMs)).toFixed(2)} measured)`);
  }
  return {
    ...Object.fromEntries(settings.contenders.map(({ title, about }) => [`"${title}"`, about])),
    node: process.version,
    queue: 'stand-in of SQS, its own process',
    'round trips in ms': measured.join(' and '),
    backlog: `${settings.backlog}, one at a time ${settings.smallBacklog}`,
    live: `${settings.changesPerSecond}/s for ${settings.liveSeconds} s over ${settings.liveClaims} claims`,
    restart: `${settings.restartClaims} claims, ${settings.restartChanges} of each fate`,
    memory: `${settings.heldClaims} claims, churn ${settings.churnPerSecond}/s for ${settings.churnSeconds} s`,
  };
}

function atEach<T extends { roundTripMs: number }>(
  figures: T[],
  results: (some: T[], at: string) => Result[],
): Result[] {
  return roundTripsMs.flatMap((roundTripMs) => {
    const some = figures.filter((one) => one.roundTripMs === roundTripMs);
    return results(some, `at ${roundTripMs} ms`);
  });
}

function drainResults(figures: DrainFigures[], at: string): Result[] {
  return [
    ...compareAll(figures, `drain ${at}`, 'messages/s', ({ perSecond }) => perSecond),
    ...each(figures, `drain ${at}: process start until the last message`, 'ms', ({ untilLastMs }) => untilLastMs),
    ...each(figures, `drain ${at}: messages`, 'messages', ({ messages }) => messages),
    ...each(figures, `drain ${at}: out of order`, 'messages', ({ outOfOrder }) => outOfOrder),
  ];
}

function costResults(figures: CostFigures[], at: string): Result[] {
  return compareAll(figures, `drain ${at}: CPU a change`, 'µs', ({ cpuMicroseconds }) => cpuMicroseconds);
}

function liveResults(figures: LiveFigures[], at: string): Result[] {
  return [
    ...compareAll(figures, `change to queue ${at}: median`, 'ms', ({ medianMs }) => medianMs),
    ...compareAll(figures, `change to queue ${at}: p99`, 'ms', ({ p99Ms }) => p99Ms),
    ...compareAll(figures, `live ${at}: CPU a change`, 'µs', ({ cpuMicrosecondsPerChange: cpu }) => cpu),
    ...each(figures, `live ${at}: messages a change`, '', ({ messages, changes }) => messages / changes),
    ...each(figures, `live ${at}: out of order`, 'messages', ({ outOfOrder }) => outOfOrder),
  ];
}

function restartResults(figures: RestartFigures[]): Result[] {
  const had = figures[0]?.had;
  const lost = `last states never forwarded after a crash, of ${had} claims`;
  return [
    ...compareAll(figures, 'restart until everything there is forwarded', 'ms', ({ untilAllMs }) => untilAllMs),
    ...each(figures, 'messages sent twice', 'messages', ({ sentTwice }) => sentTwice),
    ...each(figures, `${lost} changed`, 'claims', (one) => one.lost.changed),
    ...each(figures, `${lost} deleted with our finalizer`, 'claims', (one) => one.lost['deleted with our finalizer']),
    ...each(figures, `${lost} deleted without it`, 'claims', (one) => one.lost['deleted without it']),
  ];
}

function memoryResults(figures: MemoryFigures[]): Result[] {
  return [
    ...compareAll(figures, 'peak memory', 'MB', ({ peakMb }) => peakMb),
    ...compareAll(figures, 'list: CPU an object', 'µs', ({ cpuMicrosecondsPerListed: cpu }) => cpu),
    ...compareAll(figures, 'churn: CPU a change', 'µs', ({ cpuMicrosecondsPerChange: cpu }) => cpu),
    ...compareAll(figures, 'peak memory when all is listed', 'MB', ({ peakWhenListedMb }) => peakWhenListedMb),
    ...figures.flatMap((one) => [
      ...each([one], `most in the first third of ${one.churnSeconds} s of churn`, 'MB', (of) => of.firstThirdMb),
      ...each([one], `most in the last third of ${one.churnSeconds} s of churn`, 'MB', (of) => of.lastThirdMb),
    ]),
  ];
}
