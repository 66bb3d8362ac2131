import { expect, test } from '@jest/globals';
import { nameOf, resources } from '../../../../lib/kubernetes/resources.ts';
import { entriesOfLogs, type ReadLogPage } from '../../../../lib/recovery/timeline/entries-of-logs.ts';
import { formatTimestamp, nameOfObject } from '../../../../lib/recovery/timeline/timeline-entry.ts';

const move = nameOf(resources.transferRequest, 'stage', 'move');
const source = nameOf(resources.claim, 'prod', 'data');
const time = '2026-03-01T12:00:00.123Z';
const about = { time, kind: 'StorageTransferRequest', key: 'stage/move', object: 'StorageTransferRequest stage/move' };

async function read(readPage: ReadLogPage, functions = ['match-transfer']) {
  const problems: string[] = [];
  const reading = { cluster: 'main', functions, readPage, signal: new AbortController().signal };
  const entries = await entriesOfLogs([move, source], { ...reading, onProblem: (problem) => problems.push(problem) });
  const lines = entries.map(
    ({ at, object, what }) => `${formatTimestamp(at).slice(11)} ${nameOfObject(object)} ${what}`,
  );
  return { lines, problems };
}

/** What one text finds; the others find nothing. */
const pageOf =
  (...lines: unknown[]): ReadLogPage =>
  async (_, text) => {
    const found = text === 'stage/move' ? lines : [];
    return { lines: found.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))), next: undefined };
  };

test('of more lines than anybody reads the newest are shown, and it is said how many are not', async () => {
  const many = Array<string>(150_000).fill(JSON.stringify({ ...about, message: 'begun' }));
  const readPage: ReadLogPage = async (_, text) => {
    return { lines: text === 'stage/move' ? many : [], next: undefined };
  };
  const { lines, problems } = await read(readPage);
  expect(lines).toHaveLength(10_000);
  expect(problems).toEqual(['the log has 140000 more entries than the 10000 newest ones, which are shown']);
});

test.each([
  [
    { ...about, message: 'write', write: 'patch status', result: 'ok', milliseconds: 4 },
    'StorageTransferRequest stage/move match-transfer: patch status ok, 4 ms',
  ],
  [
    {
      ...about,
      message: 'write',
      write: 'patch',
      object: 'PersistentVolumeClaim prod/data',
      result: 'conflict',
      milliseconds: 9,
    },
    'PersistentVolumeClaim prod/data match-transfer: patch conflict, 9 ms',
  ],
  [
    { ...about, message: 'write', write: 'patch', object: 'PersistentVolume volume-1', result: 'ok', milliseconds: 9 },
    'StorageTransferRequest stage/move match-transfer: patch of PersistentVolume volume-1 ok, 9 ms',
  ],
  [
    { ...about, message: 'reconciled', outcome: 'wait', reason: 'ApprovalMissing' },
    'StorageTransferRequest stage/move match-transfer: reconciled: wait ApprovalMissing',
  ],
  [
    { ...about, message: 'message failed', delivery: 3, error: 'no route to host' },
    'StorageTransferRequest stage/move match-transfer: message failed at delivery 3: no route to host',
  ],
])('the line %j is told in words', async (line, expected) => {
  expect((await read(pageOf(line))).lines).toEqual([`12:00:00.123Z ${expected}`]);
});

test('lines about others, and what is no line of ours, are left out', async () => {
  const page = pageOf(
    { ...about, key: 'stage/other', object: 'StorageTransferRequest stage/other' },
    'START RequestId: 1 stage/move',
    'null',
    { ...about, time: 'no time' },
    '2026-03-01 INFO {"half": ',
  );
  expect((await read(page)).lines).toEqual([]);
});

test('lines about objects of these names in other clusters are left out, and those that say none are not', async () => {
  const page = pageOf(
    { ...about, cluster: 'edge', message: 'of another' },
    { ...about, cluster: 'main', message: 'of this one' },
    { ...about, message: 'of whichever' },
  );
  const { lines } = await read(page);
  expect(lines.map((line) => line.split(': ')[1])).toEqual(['of this one', 'of whichever']);
});

test('all pages of all functions are read, and one that may not be read is told', async () => {
  const asked: unknown[] = [];
  const readPage: ReadLogPage = async (name, text, token) => {
    asked.push([name, text, token]);
    if (name === 'copy-secret') throw new Error('you may not');
    if (text !== 'stage/move') return { lines: [], next: undefined };
    return {
      lines: [JSON.stringify({ ...about, message: `page ${token ?? 'one'}` })],
      next: token ? undefined : 'two',
    };
  };
  const { lines, problems } = await read(readPage, ['copy-secret', 'match-transfer']);
  expect(lines.map((line) => line.split(': ')[1])).toEqual(['page one', 'page two']);
  expect(problems).toEqual(['the log of copy-secret cannot be read: you may not']);
  expect(asked.slice(1)).toEqual([
    ['match-transfer', 'stage/move', undefined],
    ['match-transfer', 'stage/move', 'two'],
    ['match-transfer', 'prod/data', undefined],
  ]);
});
