import { fileURLToPath } from 'node:url';
import { measureRoundTrip } from '../forward/queue/measured-round-trip.ts';
import { type Arrived, startQueue } from '../forward/queue/queue-stand-in.ts';
import { compared, type Report, type Result, result } from '../report.ts';
import { startStandIn } from '../stand-in-process.ts';
import { writeArchive } from './archive.ts';
import { inBatches, oneAtATime, ours } from './contenders.ts';
import type { Figures } from './measured.ts';
import { type RunFigures, run, type Site } from './run.ts';

const roundTripsMs = [0, 5];
const all = messagesFrom(process.env.BENCH_REPLAY_MESSAGES);
/** The slower ones get fewer messages: their rates are constant. */
const fewer = { [oneAtATime.title]: Math.min(all, 5_000), [inBatches.title]: Math.min(all, 40_000) };
const inOrder = Math.min(all, 50_000);

/**
 * Measures how fast archived messages are put onto their queues, and how much memory that takes, regardless of their
 * number.
 */
export async function replay(progress: (line: string) => void): Promise<Report> {
  const archive = writeArchive(all);
  progress(`${all} messages written as ${archive.segments} segments`);
  const program = fileURLToPath(new URL('./s3-process.ts', import.meta.url));
  const bucket = await startStandIn(program, [archive.folder], '/ready');
  const queue = await startQueue();
  try {
    const site = { bucket, queue, progress };
    const measured: string[] = [];
    for (const roundTripMs of roundTripsMs) {
      measured.push(`${roundTripMs} (${(await measureRoundTrip(queue, roundTripMs)).toFixed(2)} measured)`);
    }
    const conditions = {
      ...Object.fromEntries([ours, inBatches, oneAtATime].map(({ title, about }) => [`"${title}"`, about])),
      node: process.version,
      archive: `${all} messages in ${archive.segments} segments, ${Math.round(archive.bytes / 1e6)} MB, from a stand-in of S3`,
      queue: 'stand-in of SQS; both in processes of their own',
      'round trips in ms': measured.join(' and '),
    };
    return { name: 'replay', conditions, results: await measure(site) };
  } finally {
    await Promise.all([bucket.stop(), queue.stop()]);
    await archive.remove();
  }
}

async function measure(site: Site): Promise<Result[]> {
  const results: Result[] = [];
  const memory: Result[] = [];
  for (const roundTripMs of roundTripsMs) {
    const own = await run(site, ours, roundTripMs, all);
    memory.push(...memoryResults(own, roundTripMs));
    for (const other of [oneAtATime, inBatches]) {
      const figures = await run(site, other, roundTripMs, fewer[other.title] ?? all);
      const at = `at ${roundTripMs} ms`;
      results.push(compared(`replay ${at}`, perSecond(own), 'messages/s', other.title, perSecond(figures)));
      results.push(compared(`CPU a message ${at}`, cpuOf(own), 'µs', other.title, cpuOf(figures)));
    }
  }
  await run(site, ours, 0, inOrder, true);
  const late = outOfOrder(await site.queue.records(0));
  results.push(...memory, result(`after a later one of the same key, of ${inOrder} messages`, late, 'messages'));
  return results;
}

/** A replay holds a limited number of messages at a time: so its memory stays the same, however many there are. */
function memoryResults({ peakMb, samples }: RunFigures, roundTripMs: number): Result[] {
  const at = `at ${roundTripMs} ms`;
  const most = (from: number, to: number) =>
    Math.max(...samples.filter(({ count }) => count >= from && count <= to).map(({ mb }) => mb));
  const early = Math.max(...samples.filter(({ count }) => count <= all / 10).map(({ peak }) => peak));
  return [
    compared(`peak memory ${at}, with all ${all} messages`, peakMb, 'MB', `with the first ${all / 10}`, early),
    compared(`most memory ${at}, last third`, most((2 * all) / 3, all), 'MB', 'first third', most(0, all / 3)),
  ];
}

function perSecond({ messages, ms }: Figures): number {
  return (messages * 1_000) / ms;
}

function cpuOf({ messages, cpuMs }: Figures): number {
  return (cpuMs * 1_000) / messages;
}

/** The time of a message is its position in the archive. */
function outOfOrder(arrived: readonly Arrived[]): number {
  const latest = new Map<string, string>();
  let count = 0;
  for (const { groupId, body } of arrived) {
    const { time } = JSON.parse(body) as { time: string };
    if (time < (latest.get(groupId) ?? '')) count += 1;
    else latest.set(groupId, time);
  }
  return count;
}

function messagesFrom(text: string | undefined): number {
  if (!text) return 1_000_000;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1_000) return number;
  throw new Error(`BENCH_REPLAY_MESSAGES must be a whole number of at least 1000, and is ${JSON.stringify(text)}`);
}
