import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { archiveWith } from './case-archive.ts';
import { type Answer, settled, until } from './fake-segments.ts';

test('a segment that is refused is put again for ever, after pauses that grow to ten seconds, and each failure is told', async () => {
  const refusals = 9;
  const { clock, store, add, errors, infos, written } = archiveWith(Array<Answer>(refusals).fill('refused'));
  add('a');
  clock.advance(5_000);
  for (let count = 1; count <= refusals; count += 1) {
    await until(`attempt ${count} has failed`, () => errors.length === count && clock.pausing === 1);
    expect(written).toEqual([]);
    clock.advance(clock.asked.at(-1) ?? 0);
  }
  await until('it is written', () => written.length === 1);
  expect(clock.asked).toEqual([5_000, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  expect(new Set(store.puts.map(({ name }) => name)).size).toBe(1);
  expect(errors[0]).toContain('the put was refused');
  expect(infos).toEqual(['archive can be written again']);
});

test('a put that was accepted but not answered is replaced by the same bytes under the same name', async () => {
  const { clock, store, add, written } = archiveWith(['unanswered']);
  add('a');
  clock.advance(5_000);
  await until('the first attempt has failed', () => clock.asked.includes(100));
  expect([store.objects.size, written]).toEqual([1, []]);
  clock.advance(100);
  await until('it is written', () => written.length === 1);
  const [first, second] = store.puts;
  expect(store.objects.size).toBe(1);
  expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
});

test('a compression that fails is tried again too', async () => {
  let failures = 1;
  const failing = async (bytes: Buffer) => {
    failures -= 1;
    if (failures >= 0) throw new Error('no memory');
    return gzipSync(bytes);
  };
  const { clock, store, add, errors, written } = archiveWith([], { compress: failing });
  add('a');
  clock.advance(5_000);
  await until('the first attempt has failed', () => errors.length === 1 && clock.pausing === 1);
  clock.advance(100);
  await until('it is written', () => written.length === 1);
  expect(store.messages.map(({ body }) => body)).toEqual(['a']);
});

test('closing writes what is left at once, and leaves no pause behind', async () => {
  const { archive, clock, store, add, written } = archiveWith();
  add('a');
  await archive.close(1_000);
  expect([written, store.objects.size, clock.pausing]).toEqual([['a'], 1, 0]);
  expect(() => add('b')).toThrow('the archive is closed');
});

test('closing an archive that was given nothing puts nothing, however often', async () => {
  const { archive, clock, store } = archiveWith();
  await Promise.all([archive.close(1_000), archive.close(1_000)]);
  expect([store.puts.length, clock.pausing]).toEqual([0, 0]);
});

test('closing ends a pause between two attempts', async () => {
  const { archive, clock, add, errors, written } = archiveWith(['refused', 'refused', 'refused']);
  add('a');
  clock.advance(5_000);
  await until('it has failed', () => errors.length === 1 && clock.asked.at(-1) === 100);
  clock.advance(100);
  await until('it has failed again', () => errors.length === 2 && clock.asked.at(-1) === 200);
  const closed = archive.close(60_000);
  await until('the third attempt has failed too', () => errors.length === 3 && clock.asked.at(-1) === 100);
  clock.advance(100);
  await closed;
  expect(written).toEqual(['a']);
});

test('closing is rejected at its limit, with what is missing and why, and nothing is tried or told afterwards', async () => {
  const { archive, clock, store, add, errors, written } = archiveWith(['refused', 'late']);
  add('a');
  add('b');
  const closed = archive.close(1_000);
  await until('it has failed', () => errors.length === 1 && clock.asked.includes(100));
  clock.advance(100);
  await until('the second attempt is under way', () => store.puts.length === 2);
  clock.advance(900);
  await expect(closed).rejects.toThrow(
    /^2 messages about main could not be written to the archive within 1000 ms \(Error: the put was refused\)/,
  );
  store.answerLate();
  await settled();
  expect([store.puts.length, written, clock.pausing]).toEqual([2, [], 0]);
});
