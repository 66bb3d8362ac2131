import { expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/transfers/steps/rebind-volume/decide.ts';
import { fold, summaryOf, writeOf } from '../../../table.ts';
import * as stage from '../../stages.ts';

test('a volume goes from one target to the next only when the next one is confirmed to be there', () => {
  const target = stage.target({ uid: 'uid-next' });
  const world = { ...stage.moved, target, targetUid: 'uid-next' };
  const write = writeOf(decide(world, stage.now));
  const { uid, resourceVersion } = target.metadata;
  expect(write).toMatchObject({ verb: 'patch', slot: 'target', body: {}, preconditions: { uid, resourceVersion } });
  expect(summaryOf(decide(fold(world, write), stage.now))).toBe('patch volume');
  // What the server said of another claim confirms nothing of this one.
  expect(summaryOf(decide({ ...world, answered: ['source', 'volume'] }, stage.now))).toBe('patch target');
});

test('a source is deleted only when the record is confirmed to be there still', () => {
  const { answered: _, ...world } = stage.withRecord;
  const write = writeOf(decide(world, stage.now));
  expect(write).toMatchObject({ verb: 'patch', slot: 'volume', body: {}, preconditions: { uid: 'uid-volume' } });
  expect(summaryOf(decide(fold(world, write), stage.now))).toBe('delete source');
});

test('a record is written only when the fence is confirmed to be there still', () => {
  const { answered: _, ...world } = stage.withTarget;
  const write = writeOf(decide(world, stage.now));
  expect(write).toMatchObject({ verb: 'patch', slot: 'source', body: {}, preconditions: { uid: 'uid-source' } });
  expect(summaryOf(decide(fold(world, write), stage.now))).toBe('patch volume');
});
