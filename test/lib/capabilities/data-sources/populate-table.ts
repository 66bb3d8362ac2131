import { expect, test } from '@jest/globals';
import { decide } from '../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import type { PopulatingWorld } from '../../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import type { Claim, Condition } from '../../../../lib/kubernetes/objects.ts';
import type { Decision, Write } from '../../../../lib/reconcile/step.ts';
import { adviceIn } from '../../../support/advice.ts';
import { protection } from '../../../support/builders.ts';
import { foldInto, objectIn, summaryOf, writeOf } from '../turns.ts';
import { later, now } from './populate-stages.ts';

export { summaryOf, writeOf };

type Decide = (world: PopulatingWorld, now: Date) => Decision;

/** A situation, and either a write and what comes next, what the claim says with all that follows, or the outcome alone. */
export type Row = { situation: string; world: PopulatingWorld } & (
  | { write: string; body?: object; exactly?: object; next: string; event?: string }
  | {
      /** Status and reason. */
      says: string;
      next: Decision['do'];
      event?: 'Warning' | 'Normal';
      counts?: string;
      saying?: string;
      /** What is written before it is said. */
      before?: string[];
      /** What is written after it is said. */
      afterwards?: string[];
    }
  | { answer: string }
);

/** A run that takes longer goes round in circles. */
const maxTurns = 20;

/** Each row is decided twice; what is written or said is decided upon once more. */
export function testTable(rows: Row[], by: Decide = decide): void {
  for (const row of rows) test(row.situation, () => check(by, row));
}

function check(by: Decide, row: Row): void {
  const first = by(row.world, now);
  expect(by(row.world, now)).toEqual(first);
  if ('write' in row) checkWrite(by, row, first);
  else if ('says' in row) checkSaid(by, row, first);
  else expect(summaryOf(first)).toBe(row.answer);
}

function checkWrite(by: Decide, row: Extract<Row, { write: string }>, first: Decision): void {
  expect(summaryOf(first)).toBe(row.write);
  const write = writeOf(first);
  const body = 'body' in write ? write.body : undefined;
  if (row.body) expect(body).toMatchObject(row.body);
  if (row.exactly) expect(body).toEqual(row.exactly);
  checkPreconditions(row.world, write);
  expect(write.announce?.map(({ type, reason }) => `${type} ${reason}`)).toEqual(row.event ? [row.event] : undefined);
  expect(write.measure).toBeUndefined();
  expect(summaryOf(by(fold(row.world, write), now))).toBe(row.next);
}

/** It is said once, with an Event of the same reason, and to look again later changes nothing. */
function checkSaid(by: Decide, row: Extract<Row, { says: string }>, first: Decision): void {
  const [status, reason] = row.says.split(' ');
  const { before = [], afterwards = [] } = row;
  const { announce = [], measure = [] } = tellingOf(by, row.world, first);
  const rest = settle(row.world, by);
  expect(rest.writes).toEqual([...before, 'patch claim status', ...afterwards]);
  expect(summaryOf(rest.decision)).toBe(`${row.next} ${reason}`);
  const condition = conditionOf(rest.world.claim);
  expect(condition).toMatchObject({ status, reason });
  if (row.saying) expect(condition?.message).toContain(row.saying);
  checkAdvice(row.world, condition?.message ?? '');
  const { event = 'Warning' } = row;
  expect(announce).toMatchObject([{ type: event, reason, message: condition?.message }]);
  const counted = 'counts' in row ? row.counts : event === 'Warning' ? failures : undefined;
  expect(measure.map(({ name }) => name)).toEqual(counted ? [counted] : []);
  expect(settle({ ...rest.world, readAt: later(60) }, by, later(60)).writes).toEqual([]);
}

/** The write by which the claim says so, however much comes before it. */
export function tellingOf(by: Decide, start: PopulatingWorld, first: Decision): Write {
  let [world, decision] = [start, first];
  for (let turn = 0; summaryOf(decision) !== 'patch claim status' && turn < maxTurns; turn += 1) {
    world = fold(world, writeOf(decision));
    decision = by(world, now);
  }
  return writeOf(decision);
}

/** What is in a volume may be somebody's: nobody is told to delete the claim that has it. */
function checkAdvice({ claim }: PopulatingWorld, message: string): void {
  expect(claim?.spec.volumeName ? ['never'] : ['never', 'without a volume']).toContain(adviceIn(message).deletes);
}

export const successes = 'cross_namespace_persistentvolumeclaim_provision_total';
export const failures = 'cross_namespace_persistentvolumeclaim_provision_failed_total';

export function conditionOf(claim: Claim | undefined): Condition | undefined {
  return claim?.status?.conditions?.find(({ type }) => type === 'DataPopulated');
}

function checkPreconditions(world: PopulatingWorld, write: Write): void {
  if (write.verb === 'create') return;
  const { uid, resourceVersion } = objectIn(world, write.slot)?.metadata ?? {};
  expect(uid).toBeDefined();
  expect(write.preconditions).toEqual({ uid, resourceVersion });
}

/** Runs to rest as the shell does. */
export function settle(start: PopulatingWorld, by: Decide = decide, at = now) {
  const writes: string[] = [];
  let world = start;
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const decision = by(world, at);
    if (decision.do === 'reread' && decision.reason === 'VolumesNotListed') {
      world = { ...world, areVolumesListed: true };
      continue;
    }
    if (decision.do !== 'write') return { world, writes, decision };
    checkPreconditions(world, decision.write);
    writes.push(summaryOf(decision));
    world = fold(world, decision.write);
  }
  throw new Error(`it does not come to rest: ${writes.join(', ')}`);
}

/** The world with the answer that an API server would give to the write. */
export function fold(world: PopulatingWorld, write: Write): PopulatingWorld {
  return foldInto(
    world,
    write,
    ({ kind, metadata }) =>
      kind === 'PersistentVolumeClaim'
        ? {
            metadata: {
              finalizers: [...(metadata.finalizers ?? []), protection],
              creationTimestamp: now.toISOString(),
            },
            status: { phase: 'Pending' },
          }
        : {},
    now,
  );
}
