import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from '../../../lib/json/lines.ts';

function split(chunks: readonly Buffer[], splitter = new LineSplitter()) {
  const lines: string[] = [];
  for (const chunk of chunks) {
    splitter.push(chunk, (bytes, start, end) => lines.push(bytes.toString('utf8', start, end)));
    // Who gave the chunk may use it for the next one.
    chunk.fill('x');
  }
  return { lines, hasRest: splitter.hasRest };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return ends.map((end, index) => Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end)));
}

const texts = fc.string({ unit: fc.constantFrom('a', 'é', '🚢', '\n', '\n', '\r', ' ') });

test('lines are the same however they come in pieces', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat()), (text, places) => {
      const { lines, hasRest } = split(cut(Buffer.from(text), places));
      expect(lines).toEqual(
        text
          .split('\n')
          .slice(0, -1)
          .filter((line) => line !== ''),
      );
      expect(hasRest).toBe(text !== '' && !text.endsWith('\n'));
    }),
    { numRuns: 2000 },
  );
});

test('a text that comes byte by byte has the lines that it has', () => {
  const bytes = Buffer.from('one\n\nzwölf\nrest');
  expect(split(cut(bytes, [...bytes.keys()]))).toEqual({ lines: ['one', 'zwölf'], hasRest: true });
});

test('what is taken from a piece is not copied', () => {
  const chunk = Buffer.from('one\ntwo\nrest');
  const taken: Buffer[] = [];
  new LineSplitter().push(chunk, (bytes) => taken.push(bytes));
  expect(taken.map((bytes) => bytes === chunk)).toEqual([true, true]);
});

test('a long line is put together once, however many pieces it comes in', () => {
  const [splitter, lengths] = [new LineSplitter(), [] as number[]];
  const take = (bytes: Buffer, start: number, end: number) => {
    expect([start, bytes.length]).toEqual([0, end]);
    lengths.push(end);
  };
  for (let piece = 0; piece < 64; piece += 1) splitter.push(Buffer.alloc(16_384, 'a'), take);
  expect([lengths, splitter.hasRest]).toEqual([[], true]);
  splitter.push(Buffer.from('\n'), take);
  expect([lengths, splitter.hasRest]).toEqual([[1_048_576], false]);
});

test('a line that could not be taken does not come again', () => {
  const splitter = new LineSplitter();
  splitter.push(Buffer.from('bro'), () => {});
  const refuse = () => {
    throw new Error('no such line');
  };
  expect(() => splitter.push(Buffer.from('ken\n'), refuse)).toThrow('no such line');
  expect(split([Buffer.from('whole\n')], splitter)).toEqual({ lines: ['whole'], hasRest: false });
});
