import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { linesOf } from '../../../../cli/trace/lines.ts';
import { toLine } from '../../../../lib/archive/archived-message.ts';
import { segmentName } from '../../../../lib/archive/segment-names.ts';
import { nameOf, resources } from '../../../../lib/kubernetes/resources.ts';
import { buildMessage, sentAgain } from '../../../../lib/queue/message.ts';
import type { MessageParts } from '../../../../lib/queue/message-parts.ts';
import { entriesOfArchive } from '../../../../lib/recovery/timeline/entries-of-archive.ts';
import { formatTimestamp, nameOfObject } from '../../../../lib/recovery/timeline/timeline-entry.ts';
import { FakeSegments, messageOf } from '../../archive/fake-segments.ts';

const startMs = Date.UTC(2026, 2, 1, 12);
const move = nameOf(resources.transferRequest, 'stage', 'move');
const volume = nameOf(resources.volume, undefined, 'volume-1');

function message(more: Partial<MessageParts> = {}) {
  return buildMessage({
    cluster: 'main',
    function: 'match-transfer',
    resource: resources.transferRequest,
    key: { namespace: 'stage', name: 'move' },
    cause: { uid: 'uid-1', resourceVersion: '7', type: 'add' },
    time: new Date(startMs),
    ...more,
  });
}

/** A segment of these messages, each sent so long after the start. */
function segments(...all: (readonly [afterMs: number, message: ReturnType<typeof message>])[]): FakeSegments {
  const store = new FakeSegments();
  const lines = all.map(([afterMs, each]) => toLine(each, new Date(startMs + afterMs)));
  store.objects.set(nameOfSegment(0), gzipSync(lines.join('')));
  return store;
}

function nameOfSegment(sequence: number): string {
  return segmentName({ cluster: 'main', time: new Date(startMs), writer: 'w', sequence });
}

async function read(source: FakeSegments, fromMs = startMs, signal = new AbortController().signal) {
  const problems: string[] = [];
  const entries = await entriesOfArchive([move, volume], {
    source,
    range: { cluster: 'main', from: new Date(fromMs), to: new Date(startMs + 3_600_000) },
    signal,
    onProblem: (problem) => problems.push(problem),
  });
  const lines = entries.map(
    ({ at, object, what }) => `${formatTimestamp(at).slice(11)} ${nameOfObject(object)} ${what}`,
  );
  return { lines, problems, entries };
}

const traceId = /, trace [0-9a-f]{32}$/;

test('a message tells to whom it was sent, of which change, and by which trace', async () => {
  const { lines, entries } = await read(segments([123, message()]));
  expect(lines.map((line) => line.replace(traceId, ''))).toEqual([
    '12:00:00.123Z StorageTransferRequest stage/move add, to match-transfer',
  ]);
  expect(lines[0]).toMatch(traceId);
  expect(entries[0]?.details).toMatchObject({
    function: 'match-transfer',
    cause: 'add',
    seenAt: '2026-03-01T12:00:00.000Z',
  });
});

test('what others were told is left out, even where a name is the same', async () => {
  const source = segments(
    [1, message({ key: { namespace: 'other', name: 'move' } })],
    [2, message({ resource: resources.claim, key: { namespace: 'stage', name: 'move' }, function: 'match-claim' })],
    [3, message({ resource: resources.volume, key: { name: 'volume-1' }, function: 'rebind-volume' })],
    [4, messageOf('no message, with "move" in it')],
  );
  expect((await read(source)).lines.map((line) => line.replace(traceId, ''))).toEqual([
    '12:00:00.003Z PersistentVolume volume-1 add, to rebind-volume',
  ]);
});

test('a message that is in the archive twice is one, and one that a run sent again is another', async () => {
  const source = segments([1, message()], [2_001, message()], [3_000, sentAgain(message(), 'run-7')]);
  expect((await read(source)).lines.map((line) => line.replace(traceId, ''))).toEqual([
    '12:00:00.001Z StorageTransferRequest stage/move add, to match-transfer',
    '12:00:03.000Z StorageTransferRequest stage/move add, to match-transfer, by run run-7, 3.0 s after it was seen',
  ]);
});

test('one change that two functions were told of is two messages', async () => {
  const { lines } = await read(segments([1, message()], [2, message({ function: 'match-claim' })]));
  expect(lines).toHaveLength(2);
});

test('the same message after more than five minutes was delivered again', async () => {
  expect((await read(segments([1, message()], [400_000, message()]))).lines).toHaveLength(2);
});

test('what was sent before the range is left out', async () => {
  expect((await read(segments([1, message()], [5_000, message({ runId: 'r' })]), startMs + 1_000)).lines).toHaveLength(
    1,
  );
});

test('of a damaged segment what stands before the damage counts, and the others are read', async () => {
  const source = segments([1, message()]);
  const line = toLine(message({ runId: 'late' }), new Date(startMs + 2_000));
  source.objects.set(nameOfSegment(1), gzipSync(`${line}no line\n`));
  source.objects.set(nameOfSegment(2), gzipSync(toLine(message({ runId: 'last' }), new Date(startMs + 3_000))));
  const { lines, problems } = await read(source);
  expect(lines).toHaveLength(3);
  expect(problems).toEqual([expect.stringContaining('is damaged: line 2 cannot be read')]);
});

test('a forged line with the ids of a genuine message does not hide it', async () => {
  const genuine = message();
  const forged = { ...genuine, body: genuine.body.replace('ref.add', 'ref.delete') };
  const { lines } = await read(segments([1, forged], [900, genuine]));
  expect(lines.map((line) => line.replace(traceId, '').slice(14))).toEqual([
    'StorageTransferRequest stage/move delete, to match-transfer',
    'StorageTransferRequest stage/move add, to match-transfer',
  ]);
});

test('what is about another cluster is not taken for what is about this one', async () => {
  expect((await read(segments([1, message({ cluster: 'prod' })]))).lines).toEqual([]);
});

test.each<unknown>([5, {}, { toString: 5 }, null])(
  'a forged line whose type is %j is shown without one',
  async (type) => {
    const genuine = message();
    const forged = { ...genuine, body: JSON.stringify({ ...JSON.parse(genuine.body), type }) };
    expect((await read(segments([1, forged]))).lines.map((line) => line.replace(traceId, '').slice(14))).toEqual([
      'StorageTransferRequest stage/move , to match-transfer',
    ]);
  },
);

test('of what is called by no name of ours the beginning is shown', async () => {
  const genuine = message();
  const type = 'x'.repeat(100_000);
  const forged = { ...genuine, function: type, body: JSON.stringify({ ...JSON.parse(genuine.body), type }) };
  const { entries } = await read(segments([1, forged]));
  expect(JSON.stringify(entries).length).toBeLessThan(2_000);
});

test('of more messages than anybody reads the newest are shown, and it is said how many are not', async () => {
  const source = new FakeSegments();
  const { source: cluster, kind, namespace, name } = JSON.parse(message().body);
  const body = JSON.stringify({ source: cluster, kind, namespace, name });
  for (let segment = 0; segment < 4; segment += 1) {
    const lines = Array.from({ length: 35_000 }, (_, at) => {
      const forged = { function: 'f', groupId: 'g', deduplicationId: `${segment}-${at}`, body };
      return toLine(forged, new Date(startMs + segment * 1_000));
    });
    source.objects.set(nameOfSegment(segment), gzipSync(lines.join(''), { level: 1 }));
  }
  const last = toLine(message({ runId: 'last' }), new Date(startMs + 1_500_000));
  source.objects.set(nameOfSegment(4), gzipSync(last));
  const { lines, problems, entries } = await read(source);
  expect([lines.length, lines.at(-1)?.includes('run last')]).toEqual([10_000, true]);
  expect(problems).toEqual(['the archive has 130001 more entries than the 10000 newest ones, which are shown']);
  expect(linesOf(entries)).toHaveLength(10_000);
});

test('an archive that may not be read is told', async () => {
  const source = new FakeSegments();
  const denied = Object.assign(new Error('you may not'), { name: 'AccessDenied' });
  source.list = () => {
    throw denied;
  };
  expect(await read(source)).toMatchObject({
    lines: [],
    problems: ['the archive cannot be read to its end: you may not'],
  });
});

test('who stops does not wait for a segment that has stopped coming, and is told nothing of it', async () => {
  const source = segments([1, message()]);
  source.objects.set(nameOfSegment(1), Buffer.alloc(0));
  const stop = new AbortController();
  const open = source.open.bind(source);
  source.open = async (name) => {
    if (name === nameOfSegment(0)) return open(name);
    setImmediate(() => stop.abort());
    return new Readable({ read() {} });
  };
  expect(await read(source, startMs, stop.signal)).toMatchObject({ problems: [] });
});
