import { expect, test } from '@jest/globals';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import type { Claim, Condition } from '../../../lib/kubernetes/objects.ts';
import type { Decision, Write } from '../../../lib/reconcile/step.ts';
import { protection } from '../../support/builders.ts';
import { ownBody } from '../../support/ready.ts';
import { now } from './transfers/stages.ts';
import { foldInto, objectIn, summaryOf, writeOf } from './turns.ts';

export { summaryOf, writeOf };

type Decide = (world: TransferWorld, now: Date) => Decision;

/** A situation, and either the write that it calls for, the answer to it, or what the user is told before the answer. */
export type Row = { situation: string; world: TransferWorld } & (
  | { write: string; body?: object; exactly?: object; next: string }
  | { answer: string }
  | { tells: string; saying?: string }
  | { says: string; on: Side[]; saying?: string; reasons?: Partial<Record<Side, string>> }
);

/** The claims of a transfer by annotation. */
type Side = 'source' | 'target';

/** A run that takes longer goes round in circles. */
const maxTurns = 20;

/** Each row is a test; and each is decided upon a second time, when it must go on, or be at rest. */
export function testTable(decide: Decide, rows: Row[]): void {
  for (const row of rows) test(row.situation, () => check(decide, row));
}

function check(decide: Decide, row: Row): void {
  const first = decide(row.world, now);
  expect(decide(row.world, now)).toEqual(first);
  if ('write' in row) checkWrite(decide, row, first);
  else if ('tells' in row) checkTold(decide, row, first);
  else if ('says' in row) checkSaid(decide, row);
  else expect(summaryOf(first)).toBe(row.answer);
}

function checkWrite(decide: Decide, row: Extract<Row, { write: string }>, first: Decision): void {
  expect(summaryOf(first)).toBe(row.write);
  const write = writeOf(first);
  const body = ownBody('body' in write ? write.body : undefined);
  if (row.body) expect(body).toMatchObject(row.body);
  if (row.exactly) expect(body).toEqual(row.exactly);
  if (write.verb !== 'create') {
    const { uid, resourceVersion } = objectIn(row.world, write.slot)?.metadata ?? {};
    expect(write.preconditions).toEqual({ uid, resourceVersion });
  }
  expect(summaryOf(decide(fold(row.world, write), now))).toBe(row.next);
}

/** What blocks a transfer is said on the request, once; and to say it again later would change nothing. */
function checkTold(decide: Decide, row: Extract<Row, { tells: string }>, first: Decision): void {
  expect(summaryOf(first)).toBe('patch request status');
  const [kind, reason] = row.tells.split(' ');
  const rest = settle(decide, row.world);
  expect(rest.writes.filter((write) => !/^patch (request|approval) status$/.test(write))).toEqual([]);
  expect(summaryOf(rest.decision)).toBe(row.tells);
  const status = rest.world.request?.status;
  expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Complete', status: 'False', reason });
  expect(status?.error?.message !== undefined).toBe(kind === 'reject');
  if (row.saying) expect(status?.conditions?.at(-1)?.message).toContain(row.saying);
  expect(decide(rest.world, new Date(now.getTime() + 1_000))).toEqual(rest.decision);
}

/** What blocks a transfer by annotation is said on these claims, and on no other, once; and nothing else is written. */
function checkSaid(decide: Decide, row: Extract<Row, { says: string }>): void {
  const reason = row.says.split(' ')[1];
  const rest = settle(decide, row.world);
  expect([rest.writes, summaryOf(rest.decision)]).toEqual([row.on.map((side) => `patch ${side} status`), row.says]);
  for (const side of ['source', 'target'] as const) {
    const condition = transferredOf(rest.world[side]);
    if (!row.on.includes(side)) expect(condition).toEqual(transferredOf(row.world[side]));
    else
      expect(condition).toMatchObject({ type: 'Transferred', status: 'False', reason: row.reasons?.[side] ?? reason });
    if (row.saying && row.on.includes(side)) expect(condition?.message).toContain(row.saying);
  }
  expect(decide(rest.world, new Date(now.getTime() + 1_000))).toEqual(rest.decision);
}

export function transferredOf(claim: Claim | undefined): Condition | undefined {
  return claim?.status?.conditions?.find(({ type }) => type === 'Transferred');
}

/** Runs to rest as the shell does. */
export function settle(decide: Decide, start: TransferWorld) {
  const writes: string[] = [];
  let world = start;
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const decision = decide(world, now);
    if (decision.do !== 'write') return { world, writes, decision };
    writes.push(summaryOf(decision));
    world = fold(world, decision.write);
  }
  throw new Error(`it does not come to rest: ${writes.join(', ')}`);
}

/** The world with the answer that an API server would give to the write. */
export function fold(world: TransferWorld, write: Write): TransferWorld {
  const status = { phase: 'Pending' };
  return foldInto(world, write, () => ({ metadata: { finalizers: [protection] }, status }), now);
}
