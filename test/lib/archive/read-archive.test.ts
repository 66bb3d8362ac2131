import { PassThrough, Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { toLine } from '../../../lib/archive/archived-message.ts';
import { DamagedSegment, readArchive, type SegmentSource } from '../../../lib/archive/read-archive.ts';
import { segmentName } from '../../../lib/archive/segment-names.ts';
import { FakeSegments, messageOf, until } from './fake-segments.ts';

const start = Date.UTC(2026, 10, 19, 1);
const nameAt = (seconds: number, cluster = 'main') =>
  segmentName({ cluster, time: new Date(start + seconds * 1_000), writer: 'w', sequence: 0 });
const lineAt = (seconds: number, body: string) => toLine(messageOf(body), new Date(start + seconds * 1_000));

let store: FakeSegments;
beforeEach(() => {
  store = new FakeSegments();
});

function put(seconds: number, text: string | Buffer, cluster = 'main'): string {
  const name = nameAt(seconds, cluster);
  store.objects.set(name, typeof text === 'string' ? gzipSync(text) : text);
  return name;
}

async function read(from = 0, to = 3_600, source: SegmentSource = store): Promise<string[]> {
  const bodies: string[] = [];
  const range = { cluster: 'main', from: new Date(start + from * 1_000), to: new Date(start + to * 1_000) };
  for await (const { body } of readArchive(source, range)) bodies.push(body);
  return bodies;
}

test('a range has its first moment, and not its last one', async () => {
  put(10, lineAt(10, 'a') + lineAt(11, 'b') + lineAt(12, 'c'));
  expect(await read(11, 12)).toEqual(['b']);
});

test('a message is found in a segment that began up to a minute before the range, in the hour before', async () => {
  put(-60, lineAt(-60, 'a') + lineAt(0, 'b'));
  expect(await read(0, 1)).toEqual(['b']);
});

test('a segment that unpacks to far more than is ever written is damaged, and what stands before is given', async () => {
  const line = Buffer.from(lineAt(1, ''));
  const text = Buffer.alloc(64 * 1024 * 1024, line);
  const name = put(1, gzipSync(text, { level: 1 }));
  expect(store.objects.get(name)?.length).toBeLessThan(1024 * 1024);
  let count = 0;
  const range = { cluster: 'main', from: new Date(start), to: new Date(start + 60_000) };
  const reading = async () => {
    for await (const _ of readArchive(store, range)) count += 1;
  };
  await expect(reading()).rejects.toThrow('it decompresses to more than any segment that Longshore writes');
  expect(count).toBeGreaterThan(10_000);
  expect(count * line.length).toBeLessThanOrEqual(8 * 1024 * 1024);
});

test('what lies beyond the range is not even listed to its end', async () => {
  store.pageSize = 1;
  for (const seconds of [0, 10, 20, 30]) put(seconds, lineAt(seconds, `at ${seconds}`));
  expect(await read(0, 15)).toEqual(['at 0', 'at 10']);
  expect(store.listed).toEqual([0, 10, 20].map((seconds) => nameAt(seconds)));
});

test('another cluster, and what is no segment, is passed over', async () => {
  put(1, lineAt(1, 'a'));
  put(1, lineAt(1, 'of another'), 'main2');
  store.objects.set(`${nameAt(2)}.copy`, Buffer.from('no segment'));
  expect(await read()).toEqual(['a']);
});

test('lines of any length and in any script are read whole, wherever the stream is cut', async () => {
  const bodies = ['é'.repeat(70_000), '', '\u0001'.repeat(1_000_000), 'a\nb\r\u2028"\\', '\ud800'];
  const bytes = gzipSync(bodies.map((body) => lineAt(1, body)).join(''));
  put(1, bytes);
  const inPieces = async () => Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
  expect(await read(0, 3_600, { list: (...range) => store.list(...range), open: inPieces })).toEqual(bodies);
});

test('a line is given when it has come, before the segment has been read to its end', async () => {
  put(1, '');
  const body = new PassThrough();
  const compressed = createGzip();
  compressed.pipe(body);
  compressed.write(lineAt(1, 'first'));
  compressed.flush();
  const source = { list: store.list.bind(store), open: async () => body };
  const messages = readArchive(source, { cluster: 'main', from: new Date(start), to: new Date(start + 10_000) });
  expect((await messages.next()).value?.body).toBe('first');
  expect(compressed.writableEnded).toBe(false);
  await messages.return(undefined);
  await until('the stream is let go', () => body.destroyed);
});

describe('a damaged segment is named, with what is wrong', () => {
  const whole = gzipSync(lineAt(1, 'a') + lineAt(1, 'b'));
  const changed = Buffer.from(whole);
  changed.writeUInt8(changed.readUInt8(whole.length - 6) ^ 1, whole.length - 6);
  const rows: [string, Buffer | string, RegExp][] = [
    ['cut off', whole.subarray(0, -9), /unexpected end of file/],
    ['no gzip', Buffer.from('plain text'), /incorrect header check/],
    ['a changed byte', changed, /incorrect data check/],
    ['nothing at all', Buffer.alloc(0), /it is empty|unexpected end of file/],
    ['no lines', '', /it is empty/],
    ['no JSON', `${lineAt(1, 'a')}{"sentAt":\n`, /line 2 cannot be read: it is not JSON/],
    ['a line that is no object', 'null\n', /line 1 cannot be read: it is not a JSON object/],
    ['a missing field', '{"sentAt":"2026-11-19T01:00:00Z"}\n', /its field function is missing or not a string/],
    ['a time that is none', lineAt(1, 'a').replace('2026-', '9-'), /its field sentAt is not a time/],
    ['a line without its end', lineAt(1, 'a').slice(0, -1), /its last line is incomplete/],
    ['a line without end', 'x'.repeat(8 * 1024 * 1024), /a line is longer than any that Longshore writes/],
  ];
  test.each(rows)('%s', async (_, content, reason) => {
    const name = put(1, content);
    const error: unknown = await read().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DamagedSegment);
    expect(error).toMatchObject({ segment: name, message: expect.stringMatching(reason) });
    expect(String(error)).toContain(name);
  });
});

test('a connection that breaks, and a segment that has expired, are told with its name and not taken for damage', async () => {
  const name = put(1, lineAt(1, 'a'));
  const failures: SegmentSource['open'][] = [
    async () => Readable.from(brokenAfter(gzipSync(lineAt(1, 'a')).subarray(0, 20))),
    async () => Promise.reject(new Error('The specified key does not exist.')),
  ];
  for (const open of failures) {
    const error: unknown = await read(0, 10, { list: store.list.bind(store), open }).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(DamagedSegment);
    expect(String(error)).toMatch(`segment ${name} could not be read, try again: `);
  }
});

async function* brokenAfter(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  throw new Error('read ECONNRESET');
}
