import { startLocalStack } from '../../tools/local/local-stack.ts';
import { compared, median, type Report, type Result, result } from '../report.ts';
import { Flood } from './flood.ts';
import { type Site, siteOf } from './site.ts';

/**
 * The time for which the noisy namespace has been active before a neighbour creates a request, and the interval of
 * further ones.
 */
const firstAfterMs = 500;
const everyMs = 500;
const quietRequests = 15;

/**
 * Measures how long a request of one namespace waits for its status while another namespace creates thousands, on the
 * deployed stack of `npm start`. All figures are compared with those of the quiet stack, right before.
 */
export async function neighbour(progress: (line: string) => void): Promise<Report> {
  const floods = (process.env.BENCH_NEIGHBOUR_REQUESTS ?? '2000,10000').split(',').map(Number);
  const stack = await startLocalStack({ progress });
  const site = siteOf(stack);
  try {
    const results: Result[] = [];
    for (const requests of floods) results.push(...(await measure(site, requests, progress)));
    return {
      name: 'neighbour',
      conditions: { node: process.version, 'noisy namespace': floods.join(' and ') },
      results,
    };
  } finally {
    site.close();
    await stack.stop();
  }
}

async function measure(site: Site, requests: number, progress: (line: string) => void): Promise<Result[]> {
  const quiet: number[] = [];
  for (let count = 0; count < quietRequests; count += 1) quiet.push(await site.askOnce());
  const median0 = median(quiet);
  progress(`quiet: ${median0.toFixed(0)} ms; ${requests} requests of another namespace begin`);
  const flood = await Flood.begin(site, requests);
  const during: number[] = [];
  const depths: number[] = [];
  await site.pause(firstAfterMs);
  while (!flood.isOver) {
    depths.push(await site.depth());
    during.push(await site.askOnce());
    await site.pause(everyMs);
  }
  progress(`on the queue when they are made: ${depths.join(' ')}`);
  progress(`${during.length} requests beside it: ${during.map((each) => each.toFixed(0)).join(' ')}`);
  const after: number[] = [];
  // Messages for unfinished objects are sent again each minute.
  const until = performance.now() + 65_000;
  while (performance.now() < until) {
    after.push(await site.askOnce());
    await site.pause(everyMs);
  }
  progress(`${after.length} requests afterwards: ${after.map((each) => each.toFixed(0)).join(' ')}`);
  await flood.remove();
  const baseline = 'on the quiet stack, median';
  const of = `of one namespace, of which the last is told after ${(flood.tookMs / 1_000).toFixed(1)} s`;
  return [
    result(`${requests}: ${baseline}`, median0, 'ms'),
    compared(`during ${requests} ${of}: median`, median(during), 'ms', baseline, median0),
    compared(`during ${requests}: longest of ${during.length}`, Math.max(...during), 'ms', baseline, median0),
    result(`on the queue before them: median`, median(depths), 'messages'),
    result(`on the queue before them: most`, Math.max(...depths), 'messages'),
    compared(`while they are told again: median`, median(after), 'ms', baseline, median0),
    compared(`while they are told again: longest of ${after.length}`, Math.max(...after), 'ms', baseline, median0),
  ];
}
