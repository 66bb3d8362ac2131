import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DamagedJson, reading } from '../../../lib/json/parse.ts';
import type { Selection } from '../../../lib/json/selection.ts';
import { jsonTexts, selections } from './adversarial.ts';

const containers = jsonTexts.map((text) => `[${text}, {"a": ${text}}]`);

function attempt(text: string | Buffer, selection: Selection, end = Buffer.byteLength(text)): unknown {
  return reading(selection)(Buffer.from(text), 0, end);
}

function isDamaged(...attempted: Parameters<typeof attempt>): boolean {
  try {
    attempt(...attempted);
    return false;
  } catch (error) {
    return error instanceof DamagedJson;
  }
}

test('a text that breaks off at any byte is damaged, whatever is kept and whatever follows', () => {
  fc.assert(
    fc.property(containers, selections, (text, selection) => {
      const bytes = Buffer.from(text);
      const ends = [...bytes.keys()];
      // Thousands of ends: to expect something of each by itself takes three times as long.
      expect(ends.filter((end) => !isDamaged(bytes.subarray(0, end), selection))).toEqual([]);
      expect(ends.filter((end) => !isDamaged(bytes, selection, end))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('what follows after the end is damage', () => {
  const rests = fc.constantFrom('x', '{}', '}', ']', ',', '0', '"', ':', 'null');
  fc.assert(
    fc.property(containers, selections, rests, (text, selection, rest) => {
      expect(() => attempt(`${text}${rest}`, selection)).toThrow(DamagedJson);
      expect(() => attempt(`${text} ${rest}`, selection)).toThrow(DamagedJson);
    }),
  );
});

describe.each<[string, Selection]>([
  ['kept', { a: true, b: true, '"': true }],
  ['looked into', { a: { '*': true }, b: { '*': true } }],
])('where fields are %s', (_, selection) => {
  test.each([
    ...['', ' ', 'nul', 'nulll', 'True', 'undefined', '01', '1.', '-', '+1', '.5', '1e', '0x1', 'NaN', "'a'"],
    ...[
      '{',
      '}',
      '{]',
      '[}',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{"a":1 "b":2}',
      '{"a":1}}',
      '{a:1}',
      '{,}',
      '{:1}',
      '{1:1}',
      '{"a"::1}',
    ],
    ...[
      '[1,]',
      '[,]',
      '[1 2]',
      '[[]',
      '[]]',
      '[1}',
      '{"a":[1}]',
      '{"a":{"b":1]}',
      '"',
      '"\\"',
      '{"a":"\\x"}',
      '{"a":"\\u12"}',
    ],
    ...[
      '{"a":"\n"}',
      '{"a":"\u0001"}',
      '{"a" 1}',
      '{"b":1,"a":2,,}',
      '\ufeff{}',
      '{} /* */',
      '\u00a0{}',
      '\u000b1',
      '{"a":1;"b":2}',
    ],
  ])('%j is damaged', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => attempt(text, selection)).toThrow(DamagedJson);
  });
});

test('beside what is left out the text must be whole', () => {
  for (const text of [
    '{"x":}',
    '{"x":1,}',
    '{"x":{}',
    '{"x":[}',
    '{"x":"}',
    '{"x":tru}',
    '{"x" 1}',
    '{"x":1 "y":2}',
    '{"x":01}',
  ]) {
    expect(() => attempt(text, {})).toThrow(DamagedJson);
  }
});

test.each(['{"password": "c2VjcmV0" x}', '{"password": secret}'])(
  'the error says nothing of what is there: %s',
  (text) => {
    expect(() => attempt(text, { '*': true })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/secret|c2VjcmV0|password/) }),
    );
  },
);
