import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { FetchedAhead } from '../../../../lib/recovery/replay/fetched-ahead.ts';
import { realClock } from '../../../../lib/runtime/clock.ts';
import { PausedClock } from './case-replay.ts';

const never = new AbortController().signal;

test('segments are fetched before it is their turn, a few of them, and each once', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `segment ${index}`);
  const opened: string[] = [];
  const open = async (name: string) => {
    opened.push(name);
    return Readable.from([Buffer.from(name)]);
  };
  const ahead = new FetchedAhead({ open, list: () => Readable.from([]) }, new PausedClock(), never);
  const read: string[] = [];
  for await (const name of ahead.segments(Readable.from(names))) {
    expect(opened.length - read.length).toBeLessThanOrEqual(5);
    expect(opened.length).toBeGreaterThan(read.length);
    for await (const chunk of await ahead.open(name)) read.push(String(chunk));
  }
  expect([read, opened]).toEqual([names, names]);
});

test('a segment whose connection breaks is fetched again, and what has expired or is no segment of ours is not', async () => {
  const failures: Error[] = [new Error('ECONNRESET'), new Error('ECONNRESET')];
  let opened = 0;
  const fetchedFrom = (open: () => Promise<Readable>) => {
    const counted = () => {
      opened += 1;
      return open();
    };
    return new FetchedAhead({ open: counted, list: () => Readable.from([]) }, new PausedClock(), never).open('segment');
  };
  const stream = await fetchedFrom(async () => {
    const failure = failures.pop();
    return Readable.from(failure ? brokenBy(failure) : [Buffer.from('whole')]);
  });
  expect([String(await stream.toArray()), opened]).toEqual(['whole', 3]);
  opened = 0;
  const gone = Object.assign(new Error('The specified key does not exist.'), { name: 'NoSuchKey' });
  await expect(fetchedFrom(() => Promise.reject(gone))).rejects.toBe(gone);
  const endless = async () => Readable.from(Array<Buffer>(9).fill(Buffer.alloc(1024 * 1024)));
  await expect(fetchedFrom(endless)).rejects.toThrow('it is larger than any that Longshore writes');
  expect(opened).toBe(2);
});

/** Something has come, and nothing more does. */
function stalled(): Readable {
  const stream = new Readable({ read() {} });
  stream.push('who');
  return stream;
}

test('a segment that stops coming is fetched again, and not for ever', async () => {
  const streams = [stalled(), stalled()];
  const opened: Readable[] = [];
  const fetchedFrom = (next: () => Readable) => {
    const open = async () => {
      const stream = next();
      opened.push(stream);
      return stream;
    };
    return new FetchedAhead({ open, list: () => Readable.from([]) }, new PausedClock(), never).open('segment');
  };
  const stream = await fetchedFrom(() => streams.pop() ?? Readable.from([Buffer.from('whole')]));
  expect([String(await stream.toArray()), opened.length]).toEqual(['whole', 3]);
  await expect(fetchedFrom(stalled)).rejects.toThrow('no more of it arrived for 10 seconds');
  expect([opened.length, opened.every(({ destroyed }) => destroyed)]).toEqual([8, true]);
});

test('who stops does not wait for a segment that has stopped coming', async () => {
  const stop = new AbortController();
  const stream = stalled();
  const ahead = new FetchedAhead({ open: async () => stream, list: () => Readable.from([]) }, realClock, stop.signal);
  const whole = ahead.open('segment');
  stop.abort();
  await expect(whole).rejects.toThrow('aborted');
  expect(stream.destroyed).toBe(true);
});

async function* brokenBy(failure: Error): AsyncGenerator<Buffer> {
  yield Buffer.from('who');
  throw failure;
}
