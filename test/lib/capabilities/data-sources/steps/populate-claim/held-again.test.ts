import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { linkedClaim } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, writeOf } from '../../populate-table.ts';

const { now, stages } = stage;

describe('a claim whose finalizer was taken off', () => {
  const claim = linkedClaim();

  test('is held again before its volume is handed over', () => {
    const { writes, world } = settle({ ...stages.primeBound, claim });
    expect(writes).toEqual(['patch claim', 'patch volume']);
    expect(world.claim?.metadata.finalizers).toContain(stage.hold);
  });

  test('is held again while its volume is being made', () => {
    expect(settle({ ...stages.primeMade, claim }).writes).toEqual(['patch claim']);
  });

  test('keeps those of others', () => {
    const others = linkedClaim({ metadata: { finalizers: ['example.com/a', 'example.com/b'] } });
    expect(writeOf(decide({ ...stages.primeBound, claim: others }, now))).toMatchObject({
      body: { metadata: { finalizers: ['example.com/a', 'example.com/b', stage.hold] } },
    });
  });

  test('is not held again for what is not handed over', () => {
    const { writes } = settle({ ...stages.primeBound, claim, grants: [] });
    expect(writes).not.toContain('patch claim');
  });
});
