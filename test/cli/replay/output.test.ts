import { expect, test } from '@jest/globals';
import { documentOf, shownOf, summaryOf, unservedText } from '../../../cli/replay/output.ts';
import { Progress } from '../../../cli/terminal/progress.ts';
import { emptySummary, type Summary } from '../../../lib/recovery/replay/summary.ts';
import { until } from '../../lib/archive/fake-segments.ts';
import { PausedClock, timeOf, wishFor } from '../../lib/recovery/replay/case-replay.ts';

const [first, last] = [timeOf(0).toISOString(), timeOf(9).toISOString()];
const summary: Summary = {
  replayed: [
    { function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 12, first, last },
    { function: 'rebind-volume', kind: 'PersistentVolume', messages: 3, first, last: first },
  ],
  others: 5,
  repeated: 2,
  noQueue: [{ function: 'match-nothing', messages: 4 }],
  refused: [{ function: 'match-claim', code: 'InvalidMessageContents', messages: 1 }],
  damaged: [{ segment: 'cluster=main/x.ndjson.gz', linesRead: 7, reason: 'unexpected\nend \u001b[2J' }],
  moreDamaged: 3,
};

test('what was replayed is told by function and kind, and whatever was left out by its reason', () => {
  expect(summaryOf({ summary, wish: wishFor(), runId: 'replay-1', isDryRun: false, isDone: true })).toBe(
    `function       kind                   messages  first                     last
match-claim    PersistentVolumeClaim  12        2026-11-19T01:00:00.000Z  2026-11-19T01:00:09.000Z
rebind-volume  PersistentVolume       3         2026-11-19T01:00:00.000Z  2026-11-19T01:00:00.000Z

replayed 15 of the 27 messages that were sent from 2026-11-19T01:00:00.000Z to 2026-11-19T02:00:00.000Z about cluster main, by run replay-1
left out: 5 that were not selected
left out: 2 about the same object as an earlier one
left out: 4 to match-nothing, which has no queue for messages here
left out: 1 that the queue of match-claim never takes: InvalidMessageContents
left out: everything after line 7 of cluster=main/x.ndjson.gz: unexpected end ?[2J
left out: the rest of 3 more segments, each reported when it was read`,
  );
});

test('a dry run says what would be', () => {
  expect(summaryOf({ summary: emptySummary, wish: wishFor(), runId: 'replay-1', isDryRun: true, isDone: true })).toBe(
    'would replay 0 of the 0 messages that were sent from 2026-11-19T01:00:00.000Z to 2026-11-19T02:00:00.000Z about cluster main',
  );
});

test('programs get one document of it', () => {
  const told = { summary, wish: wishFor(), runId: 'replay-1', isDryRun: false, isDone: true };
  expect(documentOf(told)).toMatchObject({
    run: 'replay-1',
    dryRun: false,
    complete: true,
    read: 27,
    replayed: 15,
    clusters: ['main'],
    leftOut: { notSelected: 5, repeated: 2, moreDamaged: 3 },
  });
  expect(documentOf({ ...told, isDryRun: true }).run).toBeNull();
});

test('clusters that are left out are named, whatever an archive calls them', () => {
  expect(unservedText(['gone', 'p\u001b[2Jast'], 'longshore-test')).toBe(
    'left out: messages about gone, p?[2Jast, which longshore-test does not serve',
  );
});

const shown = { place: { share: 0.5, time: timeOf(5) }, replayed: 0, isDryRun: false };

/** Shows a run for as long as it takes to show it twice, with something told between. */
async function written(isTTY: boolean): Promise<string> {
  let text = '';
  let writes = 0;
  const output = {
    isTTY,
    write: (more: string) => {
      text += more;
      writes += 1;
    },
  };
  const clock = new PausedClock();
  const progress = new Progress(output, clock);
  const run = { ...shown };
  const work = async () => {
    await until('it is shown', () => writes > 0);
    run.replayed = 1_000;
    progress.print('something happened');
    const before = writes;
    await until('it is shown again', () => writes > before);
    return 'result';
  };
  expect(await progress.during(shownOf(run, clock), work())).toBe('result');
  return text;
}

test('on a terminal there is a bar, which makes room for what is told and is gone in the end', async () => {
  const text = await written(true);
  expect(text).toContain('[============............] 50 % replayed 0, 0/s, at 2026-11-19T01:00:05.000Z');
  expect(text).toContain('\r\u001b[Ksomething happened\n[');
  expect(text).toMatch(/replayed 1000, \d+\/s/);
  expect(text.endsWith('\r\u001b[K')).toBe(true);
});

test('elsewhere there are lines, now and then', async () => {
  const lines = (await written(false)).split('\n');
  expect(lines[0]).toBe('50 % replayed 0, 0/s, at 2026-11-19T01:00:05.000Z');
  expect(lines[1]).toBe('something happened');
  expect(lines[2]).toMatch(/^50 % replayed 1000, \d+\/s/);
});
