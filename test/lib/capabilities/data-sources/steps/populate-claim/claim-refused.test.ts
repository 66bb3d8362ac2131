import { expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { now, stages } from '../../populate-stages.ts';
import { conditionOf, failures, settle, summaryOf, writeOf } from '../../populate-table.ts';

test('that the claim itself cannot be written is told on it, once', () => {
  const refused = { slot: 'claim', message: 'no finalizers here' } as const;
  const first = decide({ ...stages.asked, refused }, now);
  expect(writeOf(first)).toMatchObject({ subresource: 'status', measure: [{ name: failures }] });
  const { world, decision, writes } = settle({ ...stages.asked, refused });
  expect(conditionOf(world.claim)).toMatchObject({
    ...{ status: 'False', reason: 'WriteRefused', message: 'the claim itself cannot be written: no finalizers here' },
  });
  expect([writes, summaryOf(decision)]).toEqual([['patch claim status'], 'reject WriteRefused']);
});
