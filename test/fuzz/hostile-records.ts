import fc, { type Arbitrary } from 'fast-check';
import { hostileText } from './hostile-values.ts';

/** A record as a queue would deliver it, if everything that may be odd about it were. */
export interface OddRecord {
  messageId?: unknown;
  receiptHandle?: unknown;
  body?: unknown;
  attributes?: Record<string, unknown> | null | undefined;
}

/** Few groups, so that good ones stand behind bad ones in one of them; and one that is of a key which nothing is about. */
const victim = 'main/victim/claim';
const groups = fc.constantFrom('group-0', 'group-1', 'group-2', victim);
const counts = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('1', '2', '7', '8', '9') },
  {
    weight: 1,
    arbitrary: fc.oneof(hostileText, fc.constantFrom('0', '-1', '1.5', '1e999', 'NaN', null, undefined, 3)),
  },
);

const attributes = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({ MessageGroupId: groups, ApproximateReceiveCount: counts }),
  },
  { weight: 1, arbitrary: fc.record({ MessageGroupId: hostileText, ApproximateReceiveCount: counts }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, {}, { MessageGroupId: 'group-0' }, { MessageGroupId: 7 }) },
);

export function batchesOf(bodies: Arbitrary<string>): Arbitrary<OddRecord[]> {
  const body = fc.oneof(
    { weight: 60, arbitrary: bodies },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, 7, {}) },
  );
  const isUnnamed = fc.oneof(
    { weight: 200, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  const records = fc.array(fc.record({ body, attributes, isUnnamed }), { minLength: 1, maxLength: 10 });
  return records.map((list) =>
    list.map(({ isUnnamed: unnamed, ...record }, index) => {
      return unnamed ? record : { messageId: `message-${index}`, receiptHandle: `receipt-${index}`, ...record };
    }),
  );
}

/** What whoever may invoke the function can give it, though no queue would. */
export const noBatch: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(undefined, null, {}, [], 'Records', 7, { Records: null }, { Records: 'x' }, { Records: {} }),
  fc.constantFrom(
    { Records: [null] },
    { Records: ['x'] },
    { Records: [[]] },
    { records: [] },
    { Records: { length: 1 } },
  ),
  fc.anything({ maxDepth: 3 }),
);
