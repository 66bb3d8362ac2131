import { expect, test } from '@jest/globals';
import { handler } from '../../../functions/resync.ts';
import { readEvent } from '../../../lib/recovery/resync/event.ts';
import type { ResyncReport } from '../../../lib/recovery/resync/resync.ts';
import { summarize } from '../../../lib/recovery/resync/summary.ts';
import type { LogFields } from '../../../lib/runtime/log.ts';
import { withTwoClusters } from '../../lib/capabilities/two-clusters.ts';

const soonOver = { getRemainingTimeInMillis: () => 1_000 };

withTwoClusters('resync');

test('a cluster that is not configured is refused, with those that are', async () => {
  const problem = 'there is no cluster "mian"; LONGSHORE_CLUSTERS has: main, edge';
  await expect(handler({ cluster: 'mian' }, soonOver)).rejects.toThrow(problem);
});

test('a run for all clusters tells what is wrong with each of them', async () => {
  const failure = await handler({}, soonOver).catch((error: Error) => error);
  expect((failure as AggregateError).errors.map(String)).toEqual(Array(2).fill(expect.stringContaining('/nowhere')));
});

test.each([
  [undefined, { cluster: undefined, ratePerSecond: 50 }],
  [{ 'detail-type': 'Scheduled Event' }, { cluster: undefined, ratePerSecond: 50 }],
  [
    { cluster: 'main', rate: 5 },
    { cluster: 'main', ratePerSecond: 5 },
  ],
])('the event %j is understood', (event, expected) => {
  expect(readEvent(event)).toEqual(expected);
});

test.each([[{ cluster: 7 }], [{ rate: 0 }], [{ rate: 1.5 }], [{ rate: '50' }], [{ rate: 1_001 }]])(
  'the event %j is refused',
  (event) => {
    expect(() => readEvent(event)).toThrow(/^(cluster|rate) must be/);
  },
);

const report: ResyncReport = {
  cluster: 'main',
  runId: 'run-1',
  objects: 9,
  unfinished: 3,
  checks: 0,
  leftOut: [{ kind: 'Secret', reason: 'not allowed', isExpected: true }],
  results: [{ function: 'match-claim', kind: 'PersistentVolumeClaim', messages: 3, sent: 2 }],
};

function summary(more: Partial<ResyncReport>, unkept?: string) {
  const lines: string[] = [];
  const write = (message: string, fields: LogFields = {}) => lines.push([message, ...Object.values(fields)].join(' '));
  const log = { info: write, error: (...given: Parameters<typeof write>) => write(`error ${given[0]}`, given[1]) };
  const summarized = () => summarize({ ...report, ...more }, unkept, { ...log, measure: () => {} });
  return { summarized, lines };
}

test('what there was no time for is said, and is no failure', () => {
  const { summarized, lines } = summary({});
  expect(summarized()).toMatchObject({ cluster: 'main', runId: 'run-1', sent: 2, unsent: 1, leftOut: ['Secret'] });
  expect(lines).toEqual(['kind left out main run-1 Secret not allowed', 'resync cut short main run-1 9 3 2 1']);
});

test('a queue that was away makes the invocation fail when all is said', () => {
  const results = [{ ...report.results[0], problem: 'no route' }] as ResyncReport['results'];
  const { summarized, lines } = summary({ results }, '2 messages are not in the archive');
  expect(summarized).toThrow('not everything about main was sent again: match-claim: no route');
  expect(lines).toContain('error not archived main run-1 2 messages are not in the archive');
});

test('so does a permission that is lacking', () => {
  const leftOut = [{ kind: 'PersistentVolume', reason: 'User "resync" cannot list', isExpected: false }];
  expect(summary({ leftOut }).summarized).toThrow('User "resync" cannot list');
});
