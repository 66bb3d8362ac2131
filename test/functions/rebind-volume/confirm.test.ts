import { expect, test } from '@jest/globals';
import { decide } from '../../../functions/rebind-volume/decide.ts';
import * as stage from '../stages.ts';
import { summaryOf } from '../table.ts';

test('a volume goes from one target to the next only when the next one is confirmed to be there', () => {
  const target = stage.target({ uid: 'uid-next' });
  const world = { ...stage.moved, target };
  const decision = decide(world, stage.now);
  expect(summaryOf(decision)).toBe('patch confirmed');
  if (decision.do !== 'write' || decision.write.verb !== 'patch') throw new Error('it is no patch');
  expect(decision.write.body).toEqual({});
  const { uid, resourceVersion } = target.metadata;
  expect(decision.write.preconditions).toEqual({ uid, resourceVersion });
  expect(summaryOf(decide({ ...world, confirmed: target }, stage.now))).toBe('patch volume');
  // An answer about an earlier version confirms nothing.
  const earlier = { ...target, metadata: { ...target.metadata, resourceVersion: '0' } };
  expect(summaryOf(decide({ ...world, confirmed: earlier }, stage.now))).toBe('patch confirmed');
});
