import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { displayName } from '../../../lib/kubernetes/resources.ts';
import { type Identified, identifiersOf, newRunId } from '../../../lib/queue/identifiers.ts';
import { anyCharacter } from '../../support/any-character.ts';

const name = fc.oneof(fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,80}[a-z0-9])?$/), fc.constant('n'.repeat(253)));
const key = fc.oneof(fc.record({ name }), fc.record({ namespace: name, name }));
const uid = fc.oneof(fc.uuid(), fc.string());
const resourceVersion = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String), fc.string());
const type = fc.constantFrom('add' as const, 'update' as const, 'delete' as const);
const identified = fc.record({
  cluster: fc.oneof(name, fc.string({ minLength: 1, unit: anyCharacter })),
  key,
  cause: fc.record({ uid, resourceVersion, type }),
  runId: fc.oneof(fc.constant(undefined), fc.constant('run-1'), fc.uuid(), fc.string()),
});
const lane = ({ cluster, key: { namespace, name } }: Identified) => JSON.stringify([cluster, namespace, name]);

test('whatever the names, queues take the identifiers, and a trace is one', () => {
  fc.assert(
    fc.property(identified, (parts) => {
      const { groupId, deduplicationId, traceparent } = identifiersOf(parts);
      for (const text of [groupId, deduplicationId]) expect(text).toMatch(/^[!-~]{1,128}$/);
      expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    }),
  );
});

test('two keys never have one lane, and one key never has two', () => {
  fc.assert(
    fc.property(identified, identified, (one, other) => {
      const isSame = identifiersOf(one).groupId === identifiersOf(other).groupId;
      expect(isSame).toBe(lane(one) === lane(other));
    }),
  );
});

test('what differs in anything is no duplicate, not even on a queue that looks at all keys together', () => {
  const few = fc.record({
    cluster: fc.constantFrom('main', 'other'),
    key: fc.constantFrom({ name: 'a' }, { namespace: 'a', name: 'b' }, { namespace: 'a', name: 'n'.repeat(200) }),
    cause: fc.record({
      uid: fc.constantFrom('5f0c9a3b-e817-4a07-8c22-7bd2e1234567', 'odd'),
      resourceVersion: fc.constantFrom('1', '11'),
      type,
    }),
    runId: fc.constantFrom(undefined, 'a', 'run-1'),
  });
  const whole = ({ cluster, key: of, cause, runId }: Identified) =>
    JSON.stringify([cluster, displayName(of), cause.uid, cause.resourceVersion, cause.type, runId]);
  fc.assert(
    fc.property(few, few, (one, other) => {
      const isSame = identifiersOf(one).deduplicationId === identifiersOf(other).deduplicationId;
      expect(isSame).toBe(whole(one) === whole(other));
    }),
  );
});

test('two changes of one object are two traces, and a change that is forwarded twice is one', () => {
  const cause = { uid: '5f0c9a3b-e817-4a07-8c22-7bd2e1234567', resourceVersion: '7', type: 'add' as const };
  const traceOf = (changed: object) =>
    identifiersOf({ cluster: 'main', key: { name: 'a' }, cause: { ...cause, ...changed } }).traceparent;
  expect(traceOf({ resourceVersion: '8' })).not.toBe(traceOf({}));
  expect(traceOf({ type: 'update' })).toBe(traceOf({}));
});

test('no two runs have one name', () => {
  expect(new Set(Array.from({ length: 100 }, newRunId)).size).toBe(100);
});
