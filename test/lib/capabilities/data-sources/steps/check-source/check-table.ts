import { expect, test } from '@jest/globals';
import { isAtRest } from '../../../../../../lib/capabilities/data-sources/judge/checked.ts';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/check-source/decide.ts';
import type { CheckingWorld } from '../../../../../../lib/capabilities/data-sources/steps/check-source/read.ts';
import { readSettings } from '../../../../../../lib/capabilities/settings.ts';
import type { Claim, Condition } from '../../../../../../lib/kubernetes/objects.ts';
import type { Decision } from '../../../../../../lib/reconcile/step.ts';
import { adviceIn } from '../../../../../support/advice.ts';
import { configMap } from '../../../../../support/builders.ts';
import { settle, summaryOf, writeOf } from '../../../buckets/bucket-table.ts';
import { clusterOf } from '../../../cluster-of.ts';
import { now, resizing } from './stages.ts';

export const on = await readSettings(clusterOf());
export const off = await readSettings(clusterOf(configMap({ 'data-populated': 'off' })));

/** What a claim says of its data in a situation, what comes next, and the Event that goes with it. */
export interface Row {
  situation: string;
  world: CheckingWorld;
  /** Status and reason. */
  says: string;
  next: Decision['do'];
  event?: 'Normal' | 'Warning';
  saying?: string;
  /** Whether it is left alone from then on. */
  isAtRest?: boolean;
}

const later = new Date(now.getTime() + 60_000);

export function testTable(rows: Row[]): void {
  for (const row of rows) test(row.situation, () => check(row));
}

function check(row: Row): void {
  const world = { settings: on, ...row.world };
  const rest = settle(decide, world, {}, now);
  expect([rest.writes, summaryOf(rest.decision)]).toEqual([
    ['patch claim status'],
    `${row.next} ${row.says.split(' ')[1]}`,
  ]);
  const said = conditionOf(rest.world.claim);
  expect(`${said?.status} ${said?.reason}`).toBe(row.says);
  expect(said?.message).toContain(row.saying ?? '');
  expect(rest.world.claim?.status?.conditions).toContainEqual(resizing);
  expect(decide(rest.world, later)).toEqual(rest.decision);
  expect(rest.world.claim && isAtRest(rest.world.claim)).toBe(row.isAtRest ?? false);
  checkEvent(row, said, decide(world, now));
  checkForged(world, said);
}

/** What is in a volume may be somebody's: nobody is told to delete the claim that has it. */
function checkAdvice({ claim }: CheckingWorld, message: string): void {
  expect(claim?.spec.volumeName ? ['never'] : ['never', 'without a volume']).toContain(adviceIn(message).deletes);
}

function checkEvent({ event, world }: Row, said: Condition | undefined, first: Decision): void {
  const { announce } = writeOf(first);
  const { reason, message } = said ?? {};
  expect(announce).toMatchObject(event ? [{ type: event, reason, message }] : []);
  expect(message).toMatch(/^.{20,600}$/);
  checkAdvice(world, message ?? '');
}

/** Whatever a claim says that is not so is put right. */
function checkForged(world: CheckingWorld, said: Condition | undefined): void {
  for (const reason of ['Restored', 'Cloned', 'Populated', 'Transferred', 'CheckFailed']) {
    const forged: Condition = { ...resizing, type: 'DataPopulated', reason, message: 'all is there' };
    const { claim } = settle(decide, { ...world, claim: saying(world.claim, forged) }, {}, now).world;
    const { status, reason: found, message } = conditionOf(claim) ?? {};
    expect([status, found, message]).toEqual([said?.status, said?.reason, said?.message]);
    expect(claim?.status?.conditions).toHaveLength(2);
  }
}

export function saying(claim: Claim | undefined, condition: Condition | undefined): Claim | undefined {
  const others = claim?.status?.conditions?.filter(({ type }) => type !== 'DataPopulated') ?? [];
  return claim && { ...claim, status: { ...claim.status, conditions: [...others, ...(condition ? [condition] : [])] } };
}

export function conditionOf(claim: Claim | undefined): Condition | undefined {
  return claim?.status?.conditions?.find(({ type }) => type === 'DataPopulated');
}

/** The claim as it is when this world was decided upon. */
export function told(world: CheckingWorld): Claim | undefined {
  return settle(decide, { settings: on, ...world }, {}, now).world.claim;
}
