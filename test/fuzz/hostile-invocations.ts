import fc, { type Arbitrary } from 'fast-check';
import { spoiled, write } from './hostile-messages.ts';
import { hostileJson, hostileText } from './hostile-values.ts';

/** What somebody who may invoke a function gives it: whatever JSON can say. */
export function eventsWith(field: string, values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 10, arbitrary: values.map((value) => ({ [field]: value })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(values, hostileText, fc.jsonValue({ maxDepth: 2 }))
        .map(([value, other, odd]) => ({ [other]: odd, [field]: value })),
    },
    { weight: 2, arbitrary: fc.constantFrom('x', 7, true, [], [field], '', 0, NaN) },
    { weight: 2, arbitrary: values },
  );
}

/** What would be an event, were not some of its fields something else, left out, or there twice. */
export function spoiledEvents(right: Record<string, unknown>): Arbitrary<unknown> {
  const fields = Object.entries(right).map(([field, value]) => [field, JSON.stringify(value)] as const);
  return spoiled(fields, hostileJson).map((each) => JSON.parse(write(each)));
}

/** A text, or of whichever other type. */
export const oddValues: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(null, 0, -1, true, [], {}, [[]], [null], { length: 1 }, { toString: 'x' }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 20_000).map((depth) => nested(depth)) },
);

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
