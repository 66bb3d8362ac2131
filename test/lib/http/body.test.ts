import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Blocks } from '../../../lib/http/blocks.ts';
import { Body } from '../../../lib/http/body.ts';

/** The bytes of a body whose pieces are these, with whatever a server may write around them. */
function chunked(pieces: readonly Uint8Array[], extension: string, trailer: string): Buffer {
  const parts = pieces
    .filter(({ length }) => length > 0)
    .flatMap((piece) => [Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n')]);
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)]);
}

/** What is found in bytes that come cut at these places, and where it ends. */
function read(body: Body, bytes: Buffer, cuts: readonly number[]): { found: Buffer; end: number } {
  const blocks = new Blocks();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  let end = 0;
  for (const [index, place] of places.slice(1).entries()) {
    const start = places[index] ?? 0;
    if (!body.isOver) end = body.push(bytes, start, place, (...piece) => blocks.add(...piece));
  }
  return { found: Buffer.from(blocks.take()), end };
}

const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 });
const cuts = fc.array(fc.nat(2_000), { maxLength: 10 });

test('a body in pieces is put together, wherever it is cut, and what follows it is left', () => {
  const around = fc.record({
    extension: fc.constantFrom('', ';name=value', ' '),
    trailer: fc.constantFrom('', 'Expires: never\r\n', 'A: 1\r\nB: 2\r\n'),
  });
  fc.assert(
    fc.property(pieces, cuts, around, fc.constantFrom('', 'HTTP'), (given, places, { extension, trailer }, after) => {
      const bytes = chunked(given, extension, trailer);
      const body = new Body({ length: 'chunked' });
      const { found, end } = read(body, Buffer.concat([bytes, Buffer.from(after)]), places);
      expect(found).toEqual(Buffer.concat(given));
      expect([body.isOver, end]).toEqual([true, bytes.length]);
    }),
  );
});

test('a body with a length ends there, and one without ends with its connection', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), cuts, (given, places) => {
      const bytes = Buffer.concat([given, Buffer.from('more')]);
      const exact = read(new Body({ length: given.length }), bytes, places);
      expect([exact.found, given.length === 0 || exact.end === given.length]).toEqual([Buffer.from(given), true]);
      const endless = new Body({ length: 'until closed' });
      expect([read(endless, bytes, places).found, endless.isOver, endless.mayEndHere]).toEqual([bytes, false, true]);
    }),
  );
});

test('half a body is not over', () => {
  const bytes = chunked([Buffer.from('abc'), Buffer.from('d')], '', '');
  for (let length = 0; length < bytes.length; length += 1) {
    const body = new Body({ length: 'chunked' });
    read(body, bytes.subarray(0, length), []);
    expect([body.isOver, body.mayEndHere]).toEqual([false, false]);
  }
});

test.each(['x\r\n', '-1\r\n', '\r\n', '123456789\r\n', '1\r\nabc\r\n'])('%j is no body in pieces', (text) => {
  expect(() => read(new Body({ length: 'chunked' }), Buffer.from(text), [])).toThrow('of its response');
});

test('what was taken from blocks stays until the next time, while more comes', () => {
  const blocks = new Blocks();
  blocks.add(Buffer.from('-first-'), 1, 6);
  const first = blocks.take();
  const much = Buffer.alloc(200_000, 'x');
  blocks.add(much, 0, much.length);
  expect([first.toString(), blocks.length]).toEqual(['first', much.length]);
  expect(blocks.take().equals(much)).toBe(true);
  expect(blocks.length).toBe(0);
});
