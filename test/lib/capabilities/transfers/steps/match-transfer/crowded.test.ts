import { expect, test } from '@jest/globals';
import { failed } from '../../../../../../lib/capabilities/transfers/by-request/status.ts';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import { matchTransfer } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { Condition, TransferStatus } from '../../../../../../lib/kubernetes/objects.ts';
import { request } from '../../../../../support/builders.ts';
import { settle } from '../../../table.ts';
import * as stage from '../../stages.ts';

const { asked, now } = stage;
const crowded: Condition = {
  type: 'Crowded',
  status: 'True',
  reason: 'TooManyWait',
  message: 'too many wait',
  lastTransitionTime: '2026-03-01T11:00:00Z',
};
const unapproved: TransferWorld = { ...asked, request: request({ spec: { approvalName: '' } }) };
const statusOf = ({ request: found }: TransferWorld): TransferStatus => found?.status as TransferStatus;

/** The same, where somebody has said that it is crowded. */
function asCrowded(world: TransferWorld): TransferWorld {
  const { conditions = [], ...status } = statusOf(world);
  const found = world.request as NonNullable<TransferWorld['request']>;
  return { ...world, request: { ...found, status: { ...status, conditions: [...conditions, crowded] } } };
}

const told = settle(decide, unapproved).world;

test('a request that is crowded besides says what it waits for, and nothing is written for that', () => {
  expect(statusOf(told).conditions?.length).toBeGreaterThan(0);
  expect(decide(asCrowded(told), now)).toMatchObject({ do: 'wait', reason: 'ApprovalMissing' });
});

test('what it says otherwise changes, and that it is crowded stays', () => {
  const missing = settle(decide, {
    ...asCrowded(told),
    request: { ...asCrowded(told).request, spec: asked.request?.spec },
  } as TransferWorld);
  const { conditions = [] } = statusOf(missing.world);
  expect(conditions.filter(({ type }) => type === 'Crowded')).toEqual([crowded]);
  expect(conditions.length).toBeGreaterThan(1);
});

test('the same holds when the work itself fails', () => {
  const decision = failed(asCrowded(told), 'it was refused', now);
  const body = decision.do === 'write' && decision.write.verb === 'patch' ? decision.write.body : {};
  const { conditions = [] } = (body as { status: TransferStatus }).status;
  expect(conditions.filter(({ type }) => type === 'Crowded')).toEqual([crowded]);
  expect(conditions.filter(({ type }) => type === 'Complete')).toMatchObject([{ reason: 'Failed' }]);
});

test('it is the request that says so', () => {
  expect(matchTransfer.subjects?.(told)).toEqual([told.request]);
});
