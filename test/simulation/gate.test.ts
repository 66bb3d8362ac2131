import { expect, test } from '@jest/globals';
import { Violation } from './capability.ts';
import { gateOf, type Manner, type PendingCall } from './gate.ts';

/** A call to a store that counts, answered in some manner. */
function called(manner: Manner, act?: () => Promise<number>) {
  const pending: PendingCall[] = [];
  const checks: string[] = [];
  let count = 0;
  const gate = gateOf({
    worker: 1,
    startedAt: 0,
    now: () => new Date(0),
    enqueue: (call) => void pending.push(call),
    beforeWrite: ({ object }) => void checks.push(`before ${object}`),
    afterWrite: ({ object }) => void checks.push(`after ${object}`),
  });
  const outcome: Promise<unknown> = gate('create bucket', true, act ?? (async () => ++count)).catch(
    (error: Error) => error.name,
  );
  return { answered: pending[0]?.answer(manner), call: pending[0], outcome, checks, count: () => count };
}

const checked = ['before create bucket', 'after create bucket'];

test.each<[Manner, unknown, number, string[]]>([
  ['ok', 1, 1, checked],
  ['lost before', 'TimeoutError', 0, []],
  ['lost after', 'TimeoutError', 1, checked],
])('a call to a store that is answered in the manner %s', async (manner, seen, effects, checks) => {
  const call = called(manner);
  expect(await call.outcome).toBe(seen);
  expect(call.count()).toBe(effects);
  expect(call.checks).toEqual(checks);
});

test.each<[Manner, number]>([
  ['dies before', 0],
  ['dies after', 1],
])('a worker that %s a call to a store sees no answer', async (manner, effects) => {
  const call = called(manner);
  await call.answered;
  const silence = new Promise((resolve) => setImmediate(() => resolve('nothing')));
  expect(await Promise.race([call.outcome, silence])).toBe('nothing');
  expect(call.count()).toBe(effects);
});

test('what a store refuses is an answer, a violation is none', async () => {
  expect(await called('ok', () => Promise.reject(new TypeError('no'))).outcome).toBe('TypeError');
  await expect(called('ok', () => Promise.reject(new Violation('lost'))).answered).rejects.toThrow(Violation);
});

test('a store answers nothing that is out of date, and knows no conflicts', () => {
  expect(called('ok').call).toMatchObject({ outside: true, writes: true, mayBe: [] });
});
