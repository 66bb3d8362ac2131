import { expect, test } from '@jest/globals';
import { logRefusals } from '../../../lib/queue/refusals.ts';
import type { LogFields } from '../../../lib/runtime/log.ts';

test('the first refusal of its kind is told, with its reason, and then each hundredth', () => {
  const told: LogFields[] = [];
  const refused = logRefusals({ error: (_, fields = {}) => void told.push(fields) });
  for (let count = 0; count < 201; count += 1) refused('match-claim', 3, 'InvalidMessageContents', true);
  refused('match-claim', 0, 'InternalError', false);
  expect(told).toEqual([
    { queue: 'match-claim', code: 'InvalidMessageContents', isSenderFault: true, times: 1 },
    { queue: 'match-claim', code: 'InvalidMessageContents', isSenderFault: true, times: 101 },
    { queue: 'match-claim', code: 'InvalidMessageContents', isSenderFault: true, times: 201 },
    { queue: 'match-claim', code: 'InternalError', isSenderFault: false, times: 1 },
  ]);
});
