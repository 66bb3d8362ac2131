import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readList } from '../../../lib/json/list.ts';
import { DamagedJson, parse } from '../../../lib/json/parse.ts';

function read(text: string) {
  const bytes = Buffer.from(text);
  const items: unknown[] = [];
  const head = readList(bytes, (start, end) => items.push(parse(bytes, start, end)));
  return { ...head, items };
}

const listed = fc.record(
  {
    kind: fc.string(),
    metadata: fc.record(
      { resourceVersion: fc.string(), continue: fc.string(), other: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    items: fc.array(fc.jsonValue(), { maxLength: 6 }),
    more: fc.jsonValue(),
  },
  { requiredKeys: ['items'] },
);

test('a list is read as if it were parsed, item by item', () => {
  fc.assert(
    fc.property(listed, fc.constantFrom(undefined, 2), fc.boolean(), (list, indent, isReversed) => {
      const ordered = isReversed ? Object.fromEntries(Object.entries(list).reverse()) : list;
      const { items, metadata, isList } = read(JSON.stringify(ordered, undefined, indent));
      const parsed = JSON.parse(JSON.stringify(list));
      const { resourceVersion, continue: next } = parsed.metadata ?? {};
      expect([items, isList]).toEqual([parsed.items, true]);
      expect([metadata.resourceVersion, metadata.continue]).toEqual([resourceVersion, next]);
    }),
  );
});

test('null instead of items is a list without any, and what has neither is none', () => {
  expect(read('{"metadata":{"resourceVersion":"1"},"items":null}')).toMatchObject({ isList: true, items: [] });
  for (const text of ['{}', '{"kind":"Status"}', '{"items":{}}', '{"items":"null"}', '{"items":7}'])
    expect(read(text)).toMatchObject({ isList: false, items: [] });
});

test('what is cut off or damaged is never taken for a list', () => {
  const whole = '{"metadata":{"continue":"x"},"items":[{"a":[1,{"b":"]"}]},{}],"more":true}';
  for (let end = 0; end < whole.length; end += 1) expect(() => read(whole.slice(0, end))).toThrow();
  for (const text of [
    '[]',
    'null',
    '"items"',
    '{"items":[,]}',
    '{"items":[{}]}x',
    '{items:[]}',
    '{"items" []}',
    '{"items":[{}],"items":[{}]}',
    '{"\\u0069tems":[{}]}',
  ])
    expect(() => read(text)).toThrow(DamagedJson);
});
