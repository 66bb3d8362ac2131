import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TooManyValues } from '../../../lib/json/bounds.ts';
import { type Read, reading } from '../../../lib/json/parse.ts';
import type { Selection } from '../../../lib/json/selection.ts';
import { jsonTexts, plain, selections } from './adversarial.ts';

const all: Selection = { '*': true };

function readText(read: Read, text: string): unknown {
  const bytes = Buffer.from(text);
  return plain(read(bytes, 0, bytes.length));
}

/** What is to be kept, said in the shortest way. */
function selected(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((item) => selected(item, selection));
  if (typeof value !== 'object' || value === null) return value;
  const ruleFor = (name: string) => (Object.hasOwn(selection, name) ? selection[name] : selection['*']);
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const rule = ruleFor(name) ?? false;
    if (rule === false) return [];
    return [[name, rule === true ? inner : selected(inner, rule)]];
  });
  return Object.fromEntries(kept);
}

/** Numbers have to be the same to the sign of zero. */
function checkSame(text: string, selection: Selection): void {
  deepStrictEqual(readText(reading(selection), text), selected(JSON.parse(text), selection));
}

describe('what is read is what is selected from what is parsed', () => {
  test('for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), selections, (value, selection) => checkSame(JSON.stringify(value), selection)),
      { numRuns: 1000 },
    );
  });

  test('for texts with odd names, white space, escapes and fields that come twice', () => {
    fc.assert(fc.property(jsonTexts, selections, checkSame), { numRuns: 3000 });
  });

  test.each([
    ['escaped names', '{"\\u0073pec": {"a": 1}, "sp\\u0065c2": 2}', { spec: { a: true } }],
    ['the last of two fields of one name', '{"a": {"b": 1}, "c": 0, "\\u0061": {"b": 2, "d": 3}}', { a: { b: true } }],
    [
      'brackets, quotes and backslashes in what is left out',
      '{"a": {"}": "]\\"\\\\", "b": ["\\\\\\"}"]}, "c": 1}',
      { c: true },
    ],
    ['a text that ends in a backslash', '{"a": "\\\\", "b": {"a": "\\\\\\\\"}, "c": 1}', { c: true }],
    ['numbers to the last digit', '[-0, 1e3, 1.5E-7, 123456789012345678901, 0.1]', all],
    ['a value that is no object', ' "text" ', {}],
    ['a name that looks like two fields', '{"a\\":1,\\"b": 1, "c": 2, "a": 3, "b": 4}', all],
  ])('for %s', (_, text, selection) => {
    checkSame(text, selection);
  });

  test('between any two positions of the bytes, whatever stands beside them', () => {
    const around = fc.constantFrom('', '0', '"', '}', ',"b":1}', '\n{"a":2}', ' ', 'e5', '\\');
    fc.assert(
      fc.property(around, jsonTexts, around, selections, (before, text, after, selection) => {
        const [bytes, start] = [Buffer.from(`${before}${text}${after}`), Buffer.byteLength(before)];
        deepStrictEqual(
          plain(reading(selection)(bytes, start, start + Buffer.byteLength(text))),
          selected(JSON.parse(text), selection),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

test('what is left out may be as deep as it likes, and what is kept whole nearly so', () => {
  const deep = (levels: number) => '{"a":['.repeat(levels) + ']}'.repeat(levels);
  const text = `{"left": ${deep(10_000)}, "whole": ${deep(200)}, "lists": ${'['.repeat(400)}${']'.repeat(400)}, "b": 1}`;
  const found = readText(reading({ whole: true, lists: { a: true }, b: true }), text) as Record<string, unknown>;
  expect([Object.keys(found), found.b]).toEqual([['whole', 'lists', 'b'], 1]);
});

test.each([
  ['lists that are kept whole', `{"whole": [${'[],'.repeat(250_000)}0]}`],
  ['lists where objects are selected', `{"items": [${'[],'.repeat(250_000)}0]}`],
  ['objects that are selected', `{"items": [${'{},'.repeat(250_000)}{}]}`],
  ['objects of names without end', `{"whole": {${Array.from({ length: 250_000 }, (_, at) => `"${at}":0`).join()}}}`],
  ['what is nested without end', `{"whole": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('of more values than any object has nothing is made: %s', (_, text) => {
  expect(() => readText(reading({ whole: true, items: { a: true } }), text)).toThrow(TooManyValues);
});

test('a field called __proto__ gives no object another prototype', () => {
  const found = readText(reading(all), '{"a": {"__proto__": {"isAdmin": true}}}') as { a: { isAdmin?: boolean } };
  expect(found.a.isAdmin).toBeUndefined();
  expect(Object.keys(found.a)).toEqual(['__proto__']);
});

test('what is left out may be of any number of values', () => {
  const text = `{"a": 1, "left": [${'[],'.repeat(250_000)}0]}`;
  expect(readText(reading({ a: true }), text)).toEqual({ a: 1 });
});
