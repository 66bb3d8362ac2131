import { describe, expect, test } from '@jest/globals';
import { decideFailed } from '../../../../../../lib/capabilities/data-sources/steps/check-source/decide.ts';
import type { CheckingWorld } from '../../../../../../lib/capabilities/data-sources/steps/check-source/read.ts';
import { settle, summaryOf, writeOf } from '../../../buckets/bucket-table.ts';
import { conditionOf, off, on, told } from './check-table.ts';
import * as stage from './stages.ts';

const { content, now, snapshot, sources, volume } = stage;
const restored: CheckingWorld = {
  settings: on,
  claim: stage.claim(sources.snapshot, 'Bound'),
  volume: volume(),
  snapshot: snapshot(),
  content: content(),
};

describe('the last failure', () => {
  const failed = (world: CheckingWorld, at: Date) => decideFailed(world, 'no answer', at);
  const waiting = { settings: on, claim: stage.claim(sources.snapshot, 'Pending'), snapshot: snapshot() };

  test.each<[string, CheckingWorld]>([
    ['where nothing is known yet', restored],
    ['where it is waited for', { ...waiting, claim: told(waiting) }],
  ])('is told %s', (_, world) => {
    expect(writeOf(failed(world, now)).announce).toMatchObject([{ type: 'Warning', reason: 'CheckFailed' }]);
    const rest = settle(failed, world, {}, now);
    expect([rest.writes, summaryOf(rest.decision)]).toEqual([['patch claim status'], 'reject CheckFailed']);
    const message = expect.stringContaining('no answer');
    expect(conditionOf(rest.world.claim)).toMatchObject({ status: 'Unknown', reason: 'CheckFailed', message });
  });

  test.each<[string, CheckingWorld]>([
    ['over what is known', { ...restored, claim: told(restored) }],
    ['of a claim that is gone', { settings: on }],
    ['of a claim without a source', { settings: on, claim: stage.claim({}, 'Bound') }],
    ['when it is switched off', { ...restored, settings: off }],
  ])('is not told %s', (_, world) => {
    expect(failed(world, now)).toEqual({ do: 'reject', reason: 'CheckFailed', message: 'no answer' });
  });
});
