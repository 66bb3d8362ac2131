import { expect, test } from '@jest/globals';
import { noArchive } from '../../../lib/archive/archive.ts';
import type { ElectedForwarder, LeadershipTerm } from '../../../lib/forwarder/elected-forwarder.ts';
import type { Forwarder } from '../../../lib/forwarder/forwarder.ts';
import type { Lease } from '../../../lib/forwarder/lease.ts';
import { measureEachMinute } from '../../../lib/forwarder/measurements.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import type { Measurement } from '../../../lib/runtime/metrics.ts';

const counts = { volumes: 12, keptVolumes: 3 };

/** A term in which so many messages have been sent. */
function termWith(sent: number): LeadershipTerm {
  const forwarder = {
    stats: { isFollowing: true, lastResponseMs: 0, lists: 1, watchFailures: 0 },
    unfinished: 0,
    counts,
  };
  const clock = { elapsedMs: () => 0, pause: async () => {} };
  const outbox = new Outbox({ send: async () => [], clock, onFailure: () => {} });
  outbox.stats.sent = sent;
  return { forwarder: forwarder as unknown as Forwarder, outbox, archive: noArchive, lease: {} as Lease };
}

/** What is measured minute by minute when these are the last terms then; with the last minute the run is over. */
async function measuredOf(terms: (LeadershipTerm | undefined)[]): Promise<[string, number][]> {
  const measured: [string, number][] = [];
  const over = new AbortController();
  let minute = -1;
  const lead = {
    get lastTerm() {
      return terms[Math.max(0, minute)];
    },
  } as ElectedForwarder;
  const pause = async () => {
    minute += 1;
    if (minute === terms.length - 1) over.abort();
  };
  const clock = { now: () => new Date(0), elapsedMs: () => 0, pause };
  const measure = (...measurements: Measurement[]) => {
    measured.push(...measurements.map(({ name, value }): [string, number] => [name, Number(value)]));
  };
  const log = { info: () => {}, error: () => {}, measure };
  await measureEachMinute(lead, { cluster: 'main', log, clock, signal: over.signal });
  return measured;
}

const valuesOf = (measured: [string, number][], wanted: string) =>
  measured.filter(([name]) => name === wanted).map(([, value]) => value);

test('each minute tells what has been sent since the last one, and the end of a run what is left', async () => {
  const term = termWith(7);
  const measured = await measuredOf([term, term]);
  expect(valuesOf(measured, 'MessagesForwarded')).toEqual([7, 0]);
  expect(valuesOf(measured, 'ForwarderLag')).toEqual([0]);
});

test('a run that is over tells of no delays, but of what it leaves behind', async () => {
  const term = termWith(7);
  const measured = await measuredOf([term, term]);
  for (const delay of ['ForwarderLag', 'CheckpointAge', 'ForwarderDelay'])
    expect(valuesOf(measured, delay)).toHaveLength(1);
  for (const present of ['MessagesWaiting', 'MessagesInFlight', 'UnfinishedObjects', 'UnarchivedBytes']) {
    expect(valuesOf(measured, present)).toEqual([0, 0]);
  }
});

test.each([
  ['nothing waits, and the checkpoint is a minute old', { lag: 0, checkpoint: 60 }, 0],
  ['a change waits', { lag: 130, checkpoint: 140 }, 130],
  ['only the checkpoint does not advance', { lag: 0, checkpoint: 310 }, 130],
  ['both', { lag: 200, checkpoint: 400 }, 220],
])('how far it is behind is the worse of both delays: %s', async (_, { lag, checkpoint }, delay) => {
  const term = termWith(0);
  const secondsAgo = (seconds: number) => -seconds * 1_000;
  Object.assign(term.forwarder, { openSinceMs: secondsAgo(checkpoint) });
  Object.defineProperty(term.outbox, 'lagMs', { get: () => lag * 1_000 });
  const measured = await measuredOf([term, term]);
  expect(valuesOf(measured, 'ForwarderDelay')).toEqual([delay]);
});

test('each minute tells how many volumes there are, and how many wait for somebody to decide', async () => {
  const term = termWith(0);
  const measured = await measuredOf([term, term]);
  expect(valuesOf(measured, 'Volumes')).toEqual([12, 12]);
  expect(valuesOf(measured, 'VolumesKept')).toEqual([3, 3]);
});

test('the counters of a term that follows another one begin anew', async () => {
  const measured = await measuredOf([termWith(7), termWith(3)]);
  expect(valuesOf(measured, 'MessagesForwarded')).toEqual([7, 3]);
});

test('whoever has only waited measures nothing', async () => {
  expect(await measuredOf([undefined, undefined])).toEqual([]);
});
