import { expect, test } from '@jest/globals';
import { maxSegmentBytes } from '../../../lib/archive/segment-limits.ts';
import { SegmentedArchive } from '../../../lib/archive/segmented-archive.ts';
import { archiveWith } from './case-archive.ts';
import { messageOf, settled, until } from './fake-segments.ts';

/** Two of them do not fit into one segment. */
const large = (letter: string) => letter.repeat(maxSegmentBytes * 0.6);

test('messages of five seconds are one segment, and each is told of when it has been put', async () => {
  const { store, clock, add, written } = archiveWith();
  add('a');
  clock.advance(4_999);
  add('b');
  await settled();
  expect([store.puts.length, written]).toEqual([0, []]);
  clock.advance(1);
  await until('both are written', () => written.length === 2);
  expect([...store.objects.keys()]).toEqual([
    'cluster=main/date=2026-11-19/hour=01/20261119T011959123Z-one-000000.ndjson.gz',
  ]);
  expect(store.messages).toEqual([
    { ...messageOf('a'), sentAt: new Date('2026-11-19T01:19:59.123Z') },
    { ...messageOf('b'), sentAt: new Date('2026-11-19T01:20:04.122Z') },
  ]);
});

test('a segment is written without waiting when the next message does not fit, which begins another one', async () => {
  const { store, add, written } = archiveWith();
  add(large('a'));
  add(large('b'));
  await until('the first one is written', () => written.length === 1);
  expect(store.messages.map(({ body }) => body[0])).toEqual(['a']);
});

test('a message that is larger than a segment is one by itself, at once', async () => {
  const { store, add, written } = archiveWith();
  add(large('a').repeat(2));
  await until('it is written', () => written.length === 1);
  expect(store.messages).toHaveLength(1);
});

test('one segment is written at a time, in the order of the messages', async () => {
  const { store, add, written } = archiveWith(['late']);
  for (const letter of ['a', 'b', 'c', 'd']) add(large(letter));
  await until('the first one is put', () => store.puts.length === 1);
  await settled();
  expect([store.puts.length, written]).toEqual([1, []]);
  store.answerLate();
  await until('all but the open one are written', () => written.length === 3);
  expect(written.map((body) => body[0])).toEqual(['a', 'b', 'c']);
});

test('while the store does not answer, what follows gathers in one segment instead of one every five seconds', async () => {
  const { store, clock, add, written } = archiveWith(['late']);
  for (let count = 0; count < 10; count += 1) {
    add(`message ${count}`);
    clock.advance(5_000);
    await settled();
  }
  store.answerLate();
  await until('all are written', () => written.length === 10);
  expect([...store.objects.keys()].map((name) => store.messagesOf(name).length)).toEqual([1, 9]);
});

test('no message is in a segment that began more than a minute before it, or after it', async () => {
  const { archive, store, clock, add } = archiveWith(['late']);
  for (const milliseconds of [5_000, 60_000, 1, -1, 0]) {
    add(`after which ${milliseconds} ms pass`);
    clock.advance(milliseconds);
    await settled();
  }
  add('last');
  store.answerLate();
  await archive.close(1_000);
  expect([...store.objects.keys()].map((name) => store.messagesOf(name).length)).toEqual([1, 2, 1, 2]);
});

test('what is not written yet is counted in bytes', async () => {
  const { archive, clock, add, written } = archiveWith(['refused']);
  expect(archive.unwrittenBytes).toBe(0);
  add('é');
  const bytes = archive.unwrittenBytes;
  const { function: name, ...rest } = messageOf('é');
  const line = { sentAt: '2026-11-19T01:19:59.123Z', function: name, ...rest };
  expect(bytes).toBe(Buffer.byteLength(`${JSON.stringify(line)}\n`));
  clock.advance(5_000);
  await until('the first attempt has failed', () => clock.asked.includes(100));
  expect(archive.unwrittenBytes).toBe(bytes);
  clock.advance(100);
  await until('it is written', () => written.length === 1);
  expect(archive.unwrittenBytes).toBe(0);
});

test('whoever fails when told that a message is written keeps nobody else from being told', async () => {
  const { archive, errors, add, written } = archiveWith();
  add('a');
  archive.add(messageOf('b'), () => {
    throw new Error('no');
  });
  add('c');
  await archive.close(1_000);
  expect(written).toEqual(['a', 'c']);
  expect(errors).toEqual(['callback after writing a segment failed {"error":"Error: no"}']);
});

test('two archives of one cluster never write to one name, even at the same moment', async () => {
  const { store, clock } = archiveWith();
  const log = { info: () => {}, error: () => {} };
  for (const body of ['a', 'b']) {
    const archive = new SegmentedArchive({ cluster: 'main', store, clock, log });
    archive.add(messageOf(body), () => {});
    await archive.close(1_000);
  }
  expect(store.messages.map(({ body }) => body).sort()).toEqual(['a', 'b']);
});

test('a segment is begun at whatever moment the one before it is finished', async () => {
  for (let moment = 0; moment < 12; moment += 1) {
    const { clock, add, written } = archiveWith();
    add('a');
    clock.advance(5_000);
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    add('b');
    clock.advance(5_000);
    await settled();
    expect([moment, written]).toEqual([moment, ['a', 'b']]);
  }
});
