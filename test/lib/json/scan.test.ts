import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TooManyValues } from '../../../lib/json/bounds.ts';
import { compile, type Scan } from '../../../lib/json/scan.ts';
import { type Selection, select } from '../../../lib/json/selection.ts';
import { jsonTexts, selections } from './adversarial.ts';

const all: Selection = { '*': true };

function scanText(scan: Scan, text: string): unknown {
  const bytes = Buffer.from(text);
  return scan(bytes, 0, bytes.length);
}

/** Numbers have to be the same to the sign of zero, fields in the same order, and none in the prototype. */
function checkSame(scan: Scan, text: string, selection: Selection): void {
  const [found, wanted] = [scanText(scan, text), select(JSON.parse(text), selection)];
  deepStrictEqual(found, wanted);
  expect(JSON.stringify(found)).toBe(JSON.stringify(wanted));
}

describe('what is scanned is what is selected from what is parsed', () => {
  test('for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), selections, (value, selection) => {
        checkSame(compile(selection), JSON.stringify(value), selection);
      }),
      { numRuns: 1000 },
    );
  });

  test('for texts with odd names, white space, escapes and fields that come twice, one after the other', () => {
    const texts = fc.array(jsonTexts, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(texts, selections, (several, selection) => {
        const scan = compile(selection);
        // What was learnt from the texts before must not show in the ones after.
        for (const text of [...several, ...several]) checkSame(scan, text, selection);
      }),
      { numRuns: 3000 },
    );
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
    [
      'names that are more than are learnt',
      `{${Array.from({ length: 300 }, (_, at) => `"n${at}": ${at}`).join()}}`,
      all,
    ],
    ['a name that looks like two fields', '{"a\\":1,\\"b": 1, "c": 2, "a": 3, "b": 4}', all],
  ])('for %s', (_, text, selection) => {
    const scan = compile(selection);
    for (let times = 0; times < 3; times += 1) checkSame(scan, text, selection);
  });

  test('for names with backslashes and quotes, whichever was met before', () => {
    const scan = compile({ '*': true });
    const names = ['\\', '"', '\\"', '\\', '"'];
    for (const name of [...names, ...names]) {
      deepStrictEqual(scanText(scan, JSON.stringify({ [name]: 1 })), { [name]: 1 });
    }
  });

  test('for objects of a kind that have their fields in another order, have more of them or lack some', () => {
    const orders = fc.array(fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(orders, fc.boolean(), (several, isKept) => {
        const selection = { '*': isKept, b: true, i: { '*': true } };
        const scan = compile(selection);
        for (const order of several) {
          checkSame(
            scan,
            JSON.stringify(Object.fromEntries(order.map((name, at) => [name, at % 2 ? 'same' : name]))),
            selection,
          );
        }
      }),
    );
  });

  test('between any two positions of the bytes, whatever stands beside them', () => {
    const around = fc.constantFrom('', '0', '"', '}', ',"b":1}', '\n{"a":2}', ' ', 'e5', '\\');
    fc.assert(
      fc.property(around, jsonTexts, around, selections, (before, text, after, selection) => {
        const [bytes, start] = [Buffer.from(`${before}${text}${after}`), Buffer.byteLength(before)];
        deepStrictEqual(
          compile(selection)(bytes, start, start + Buffer.byteLength(text)),
          select(JSON.parse(text), selection),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

test('what is left out may be as deep as it likes, and what is kept whole nearly so', () => {
  const deep = (levels: number) => '{"a":['.repeat(levels) + ']}'.repeat(levels);
  const text = `{"left": ${deep(10_000)}, "whole": ${deep(200)}, "lists": ${'['.repeat(400)}${']'.repeat(400)}, "b": 1}`;
  const found = scanText(compile({ whole: true, lists: { a: true }, b: true }), text) as Record<string, unknown>;
  expect([Object.keys(found), found.b]).toEqual([['whole', 'lists', 'b'], 1]);
});

test.each([
  ['lists that are kept whole', `{"whole": [${'[],'.repeat(250_000)}0]}`],
  ['lists where objects are selected', `{"items": [${'[],'.repeat(250_000)}0]}`],
  ['objects that are selected', `{"items": [${'{},'.repeat(250_000)}{}]}`],
  ['objects of names without end', `{"whole": {${'"a":0,'.repeat(250_000)}"b":1}}`],
  ['what is nested without end', `{"whole": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('of more values than any object has nothing is made: %s', (_, text) => {
  expect(() => scanText(compile({ whole: true, items: { a: true } }), text)).toThrow(TooManyValues);
});

test('a field called __proto__ gives no object another prototype', () => {
  const found = scanText(compile(all), '{"a": {"__proto__": {"isAdmin": true}}}') as { a: { isAdmin?: boolean } };
  expect(found.a.isAdmin).toBeUndefined();
  expect(Object.keys(found.a)).toEqual(['__proto__']);
});

test('what is kept of one text does not change with the next one', () => {
  const scan = compile({ '*': true, list: { a: true } });
  const text = '{"list": [{"a": "same"}], "whole": {"deep": {"b": 1}}}';
  const first = scanText(scan, text) as { list: object[]; whole: { deep: object } };
  const second = scanText(scan, text) as typeof first;
  expect(second).toEqual(first);
  expect(second.list).not.toBe(first.list);
  expect(second.list[0]).not.toBe(first.list[0]);
  expect(second.whole.deep).not.toBe(first.whole.deep);
});
