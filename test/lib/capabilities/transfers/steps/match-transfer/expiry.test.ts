import { describe } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/match-transfer/decide.ts';
import type { TransferWorld } from '../../../../../../lib/capabilities/transfers/world.ts';
import type { TransferStatus } from '../../../../../../lib/kubernetes/objects.ts';
import { approval, request } from '../../../../../support/builders.ts';
import { testTable } from '../../../table.ts';
import * as stage from '../../stages.ts';

const conditions = (lastTransitionTime: string): TransferStatus['conditions'] => [
  { type: 'Complete', status: 'True', reason: 'Complete', message: '', lastTransitionTime },
];
const minuteAgo = conditions('2026-03-01T11:59:00Z');
function kept(ttlSecondsAfterFinished: number | undefined, status: TransferStatus = {}): TransferWorld {
  const spec = ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished };
  const complete = { complete: true, conditions: minuteAgo ?? [], ...status };
  return { ...stage.restored, approval: undefined, request: request({ spec, status: complete }) };
}

describe('a request that is complete', () => {
  testTable(decide, [
    { situation: 'stays for ever unless it says for how long', world: kept(undefined), answer: 'done Complete' },
    { situation: 'stays as long as it says', world: kept(61), answer: 'done Complete' },
    { situation: 'is deleted then', world: kept(60), write: 'delete request', next: 'done RequestGone' },
    {
      situation: 'is deleted at once when it says so',
      world: kept(0),
      write: 'delete request',
      next: 'done RequestGone',
    },
    {
      situation: 'stays when what says since when cannot be read',
      world: kept(0, { conditions: conditions('some time ago') ?? [] }),
      answer: 'done Complete',
    },
    {
      situation: 'tells an approval that was given again before it goes',
      world: { ...kept(0), approval: approval() },
      write: 'patch approval status',
      next: 'patch request status',
    },
    {
      situation: 'removes a target that was made once more before it goes',
      world: { ...kept(0), target: stage.target() },
      write: 'delete target',
      next: 'delete request',
    },
  ]);
});

describe('a request that is not complete', () => {
  testTable(decide, [
    {
      situation: 'does not expire, whatever it waits for',
      world: {
        ...stage.asked,
        approval: undefined,
        request: request({ spec: { ttlSecondsAfterFinished: 0 }, status: { conditions: minuteAgo ?? [] } }),
      },
      tells: 'wait ApprovalMissing',
    },
    {
      situation: 'does not expire before the record of its transfer is off the volume',
      world: { ...stage.done, request: request({ spec: { ttlSecondsAfterFinished: 0 }, status: { complete: true } }) },
      write: 'patch request status',
      next: 'patch volume',
    },
  ]);
});
