import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { identifiersOf } from '../../../lib/queue/identifiers.ts';
import type { MessageParts } from '../../../lib/queue/message-parts.ts';
import { bodyOf, plainBodyOf } from '../../../lib/queue/message-text.ts';

const names = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,30}[a-z0-9])?$/).filter((name) => !/[.-]\.|\.-/.test(name));
const anyText = fc.oneof({ weight: 4, arbitrary: names }, fc.string({ unit: 'binary', maxLength: 40 }));
const anyParts: fc.Arbitrary<MessageParts> = fc.record(
  {
    cluster: anyText,
    function: names,
    resource: fc.constantFrom(...Object.values(resources), { ...resources.claim, kind: 'Of "them"' }),
    key: fc.record({ namespace: names, name: names }, { requiredKeys: ['name'] }),
    cause: fc.record({
      uid: fc.oneof({ weight: 4, arbitrary: fc.uuid() }, anyText),
      resourceVersion: fc.oneof({ weight: 4, arbitrary: fc.nat().map(String) }, anyText),
      type: fc.constantFrom('add', 'update', 'delete'),
    }),
    time: fc.date({ noInvalidDate: true }),
    runId: anyText,
    isCrowded: fc.boolean(),
  },
  { requiredKeys: ['cluster', 'function', 'resource', 'key', 'cause', 'time'] },
);

test('where nothing has to be escaped the text is the same, byte for byte', () => {
  let plain = 0;
  fc.assert(
    fc.property(anyParts, (parts) => {
      const identifiers = identifiersOf(parts);
      if (!identifiers.arePlain) return;
      plain += 1;
      expect(plainBodyOf(parts, identifiers)).toBe(bodyOf(parts, identifiers));
    }),
    { numRuns: 2_000 },
  );
  expect(plain).toBeGreaterThan(200);
});
