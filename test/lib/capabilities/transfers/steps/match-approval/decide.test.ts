import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-approval/decide.ts';
import { matchApproval } from '../../../../../../lib/capabilities/transfers/steps/match-approval/step.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { TransferStatus } from '../../../../../../lib/kubernetes/objects.ts';
import { approval, request } from '../../../../../support/builders.ts';
import { ownConditions } from '../../../../../support/ready.ts';
import { settle, summaryOf, testTable } from '../../../table.ts';
import { now } from '../../stages.ts';

const longAgo = '2026-03-01T11:00:00Z';
const world = (given: Partial<TransferWorld>): TransferWorld => ({
  approval: approval(),
  pods: [],
  readAt: now,
  ...given,
});
const lastTransitionTime = '2026-03-01T11:59:00Z';
const complete: TransferStatus = {
  complete: true,
  conditions: [{ type: 'Complete', status: 'True', reason: 'Complete', message: '', lastTransitionTime }],
};
const kept = (ttlSecondsAfterFinished: number) =>
  world({ approval: approval({ spec: { ttlSecondsAfterFinished }, status: complete }) });

describe('nothing is done', () => {
  testTable(decide, [
    { situation: 'when the approval is gone', world: world({ approval: undefined }), answer: 'done ApprovalGone' },
    {
      situation: 'when it is being deleted',
      world: world({ approval: approval({ metadata: { deletionTimestamp: longAgo } }) }),
      answer: 'done ApprovalGone',
    },
    {
      situation: 'when it matches: the request does the rest',
      world: world({ request: request() }),
      answer: 'done Matched',
    },
    {
      situation: 'when it is complete',
      world: world({ approval: approval({ status: complete }) }),
      answer: 'done Complete',
    },
  ]);
});

/** What an approval is told, and that its request is not written to. */
function told(given: Partial<TransferWorld>) {
  const { writes, decision, world: end } = settle(decide, world(given));
  expect(writes).toEqual(['patch approval status']);
  expect(decide(end, new Date(now.getTime() + 1_000))).toEqual(decision);
  return [summaryOf(decision), end.approval?.status?.conditions?.at(-1)?.message];
}

describe('what is missing on the other side is told to the approval', () => {
  test.each<[string, Partial<TransferWorld>, string, string]>([
    ['there is no request', {}, 'wait RequestMissing', 'no StorageTransferRequest stage/move'],
    [
      'the request is being deleted',
      { request: request({ metadata: { deletionTimestamp: longAgo } }) },
      'wait RequestMissing',
      'no StorageTransferRequest stage/move',
    ],
    [
      'the request names another approval',
      { request: request({ spec: { approvalName: 'other' } }) },
      'reject RequestDiffers',
      'request stage/move names approval "other"',
    ],
    [
      'the request names none, as it counts on a grant',
      { request: request({ spec: { approvalName: '' } }) },
      'reject RequestDiffers',
      'request stage/move names no approval',
    ],
    [
      'the request is about another namespace, and nothing is told of it, not even that it is there',
      { request: request({ spec: { source: { namespace: 'secret', name: 'data', kind: 'PersistentVolumeClaim' } } }) },
      'wait RequestMissing',
      'there is no StorageTransferRequest stage/move for this namespace',
    ],
    [
      'the request is about another claim',
      { request: request({ spec: { source: { namespace: 'prod', name: 'other', kind: 'PersistentVolumeClaim' } } }) },
      'reject ApprovalDiffers',
      `the request's spec.source.name is "other"`,
    ],
    [
      'the approval is about another kind',
      { approval: approval({ spec: { source: { name: 'data', kind: 'Pod' } } }), request: request() },
      'reject ApprovalDiffers',
      `the approval's spec.source.kind is "Pod"`,
    ],
  ])('%s', (_, given, outcome, message) => {
    expect(told(given)).toEqual([outcome, expect.stringContaining(message)]);
    expect(told(given)[1]).not.toContain('secret');
  });
});

describe('an approval that is complete and has a time to live', () => {
  testTable(decide, [
    { situation: 'stays until then', world: kept(61), answer: 'done Complete' },
    { situation: 'is deleted then', world: kept(60), write: 'delete approval', next: 'done ApprovalGone' },
    {
      situation: 'which is none is deleted at once',
      world: kept(0),
      write: 'delete approval',
      next: 'done ApprovalGone',
    },
    {
      situation: 'stays when nothing says since when it is complete',
      world: world({ approval: approval({ spec: { ttlSecondsAfterFinished: 0 }, status: { complete: true } }) }),
      answer: 'done Complete',
    },
    {
      situation: 'stays when it is not complete, however old what it says is',
      world: world({
        approval: approval({ spec: { ttlSecondsAfterFinished: 0 }, status: { ...complete, complete: false } }),
        request: request(),
      }),
      answer: 'done Matched',
    },
  ]);
});

describe('a failure of the work itself', () => {
  const failed = (given: TransferWorld) =>
    settle((each, at) => matchApproval.decideFailed(each, 'no answer', at), given);

  test('is told to the approval, which keeps the stages that it reached', () => {
    const reached = { type: 'Matched', status: 'True', reason: 'Matched', message: '', lastTransitionTime } as const;
    const { writes, world: end } = failed(world({ approval: approval({ status: { conditions: [reached] } }) }));
    expect(writes).toEqual(['patch approval status']);
    expect(end.approval?.status?.error?.message).toBe('no answer');
    expect(ownConditions(end.approval?.status?.conditions).map(({ type, reason }) => [type, reason])).toEqual([
      ['Matched', 'Matched'],
      ['Complete', 'Failed'],
    ]);
  });

  test('is not told over the word that all is complete', () => {
    expect(failed(world({ approval: approval({ status: complete }) })).writes).toEqual([]);
  });
});
