import { expect, test } from '@jest/globals';
import type { Condition } from '../../../../lib/kubernetes/objects.ts';
import type { Answer, Decision, World, Write } from '../../../../lib/reconcile/step.ts';
import { ownBody, ownConditions } from '../../../support/ready.ts';
import { foldInto, objectIn, summaryOf, writeOf } from '../turns.ts';
import { later, now } from './bucket-stages.ts';

export { summaryOf, writeOf };

export type Decide<W> = (world: W, now: Date) => Decision;

/**
 * A situation, and either the write that it calls for, the call to the store with what follows from its answer, what is
 * said on an object before the run comes to rest, or the outcome alone.
 */
export type Row<W> = { situation: string; world: W } & (
  | { write: string; body?: object; exactly?: object; next: string }
  | { call: string; request?: object; answer: Answer; next: string }
  | { says: string; on: 'bucket' | 'content'; saying?: string; phase?: string }
  | { answer: string }
);

type Of<W, Kind extends string> = Extract<Row<W>, Record<Kind, string>>;

/** A run that takes longer goes round in circles. */
const maxTurns = 20;

/** Each row is a test; each is decided upon twice, and what is written or answered is decided upon once more. */
export function testTable<W extends World>(decide: Decide<W>, rows: Row<W>[]): void {
  for (const row of rows) test(row.situation, () => check(decide, row));
}

function check<W extends World>(decide: Decide<W>, row: Row<W>): void {
  const first = decide(row.world, now);
  expect(decide(row.world, now)).toEqual(first);
  if ('write' in row) checkWrite(decide, row, first);
  else if ('call' in row) checkCall(decide, row, first);
  else if ('says' in row) checkSaid(decide, row);
  else expect(summaryOf(first)).toBe(row.answer);
}

function checkWrite<W extends World>(decide: Decide<W>, row: Of<W, 'write'>, first: Decision): void {
  expect(summaryOf(first)).toBe(row.write);
  const write = writeOf(first);
  const body = ownBody('body' in write ? write.body : undefined);
  if (row.body) expect(body).toMatchObject(row.body);
  if (row.exactly) expect(body).toEqual(row.exactly);
  checkPreconditions(row.world, write);
  expect(summaryOf(decide(fold(row.world, write), now))).toBe(row.next);
}

function checkCall<W extends World>(decide: Decide<W>, row: Of<W, 'call'>, first: Decision): void {
  expect(summaryOf(first)).toBe(row.call);
  if (first.do !== 'call') return;
  if (row.request) expect(first.call.request).toMatchObject(row.request);
  expect(summaryOf(decide({ ...row.world, [first.call.slot]: row.answer }, now))).toBe(row.next);
}

/** It is said in one write, and to look again later changes nothing. */
function checkSaid<W extends World>(decide: Decide<W>, row: Of<W, 'says'>): void {
  const rest = settle(decide, row.world);
  expect([rest.writes, summaryOf(rest.decision)]).toEqual([[`patch ${row.on} status`], row.says]);
  const status = statusIn(rest.world, row.on);
  const condition = status.conditions?.find(({ reason }) => reason === row.says.split(' ')[1]);
  const isGood = row.on === 'bucket' ? row.says.startsWith('done') : /^(Ready|Bound)$/.test(status.phase ?? '');
  expect(condition?.status).toBe(isGood ? 'True' : 'False');
  if (row.saying) expect(condition?.message).toContain(row.saying);
  if (row.phase) expect(status.phase).toBe(row.phase);
  expect(decide(rest.world, later(1))).toEqual(rest.decision);
}

function checkPreconditions(world: World, write: Write): void {
  if (write.verb === 'create') return;
  const { uid, resourceVersion } = objectIn(world, write.slot)?.metadata ?? {};
  expect(write.preconditions).toEqual({ uid, resourceVersion });
}

export function statusIn(world: World, slot: string): { phase?: string; message?: string; conditions?: Condition[] } {
  const object = objectIn(world, slot) as { status?: object } | undefined;
  const status: { conditions?: Condition[] } = object?.status ?? {};
  return status.conditions ? { ...status, conditions: ownConditions(status.conditions) } : status;
}

/** Runs to rest as the shell does, with a store that gives these answers. */
export function settle<W extends World>(
  decide: Decide<W>,
  start: NoInfer<W>,
  answers: Record<string, Answer> = {},
  at = now,
) {
  const writes: string[] = [];
  let world: W = start;
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const decision = decide(world, at);
    if (decision.do === 'call') {
      const { operation, slot } = decision.call;
      const answer = answers[operation];
      if (!answer) return { world, writes, decision };
      writes.push(summaryOf(decision));
      world = { ...world, [slot]: answer };
    } else if (decision.do === 'write') {
      checkPreconditions(world, decision.write);
      writes.push(summaryOf(decision));
      world = fold(world, decision.write);
    } else return { world, writes, decision };
  }
  throw new Error(`it does not come to rest: ${writes.join(', ')}`);
}

/** The API server takes the status only through its own address, and everything else only through the other. */
export function fold<W extends World>(world: W, write: Write): W {
  if (write.verb !== 'patch') return foldInto(world, write, () => ({ status: null }), now);
  const isOfStatus = Object.keys(write.body).every(
    (field) => (field === 'status') === (write.subresource === 'status'),
  );
  if (!isOfStatus) throw new Error(`a part of the write would be lost: ${Object.keys(write.body)}`);
  return foldInto(world, write, () => ({}), now);
}
