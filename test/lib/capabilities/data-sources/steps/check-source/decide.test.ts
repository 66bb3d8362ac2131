import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/check-source/decide.ts';
import type { CheckingWorld } from '../../../../../../lib/capabilities/data-sources/steps/check-source/read.ts';
import { settle, summaryOf, writeOf } from '../../../buckets/bucket-table.ts';
import { conditionOf, off, on, saying, told } from './check-table.ts';
import * as stage from './stages.ts';

const { content, handedOver, late, now, snapshot, sources, volume } = stage;
const restored: CheckingWorld = {
  settings: on,
  claim: stage.claim(sources.snapshot, 'Bound'),
  volume: volume(),
  snapshot: snapshot(),
  content: content(),
};
const populated: CheckingWorld = {
  settings: on,
  claim: stage.claim(sources.other, 'Bound'),
  volume: volume(handedOver),
  populators: [stage.populator()],
};
const annotations = { 'longshore.dev/populates': 'prod/data/uid' };

describe('nothing is written', () => {
  test.each<[string, CheckingWorld, string]>([
    ['of a claim that is gone', { settings: on }, 'done ClaimGone'],
    [
      'of one that goes',
      { ...restored, claim: stage.claim(sources.snapshot, 'Bound', { deletionTimestamp: late }) },
      'done ClaimGone',
    ],
    ['of one without a source', { ...restored, claim: stage.claim({}, 'Bound') }, 'done NothingToCheck'],
    ['of one that a link populates', { ...restored, claim: stage.claim(sources.link, 'Bound') }, 'done NothingToCheck'],
    [
      'of one that a kept reference populates',
      { ...restored, claim: stage.claim(sources.reference, 'Pending') },
      'done NothingToCheck',
    ],
    [
      'of a copy',
      { ...restored, claim: stage.claim(sources.snapshot, 'Bound', { namespace: 'longshore-system', annotations }) },
      'done NothingToCheck',
    ],
    ['when it is switched off', { ...restored, settings: off }, 'done SwitchedOff'],
    [
      'when the server will not have it',
      { ...restored, refused: { slot: 'claim', message: 'no' } },
      'reject WriteRefused',
    ],
  ])('%s', (_, world, answer) => {
    expect(summaryOf(decide(world, now))).toBe(answer);
  });

  test('of what is said already', () => {
    expect(decide({ ...restored, claim: told(restored) }, now)).toEqual({ do: 'done', reason: 'Restored' });
  });
});

test('who calls a claim of their own a copy is told all the same', () => {
  const claim = stage.claim(sources.snapshot, 'Bound', { annotations });
  expect(summaryOf(decide({ ...restored, claim }, now))).toBe('patch claim status');
});

describe('what was found out once', () => {
  const cloned: CheckingWorld = {
    settings: on,
    claim: stage.claim(sources.claim, 'Bound'),
    volume: volume(),
    sourceClaim: stage.sourceClaim(),
    sourceVolume: stage.sourceVolume(),
  };
  const came = stage.claim(sources.transfer, 'Bound', stage.arrivedByTransfer);
  const given = (...marks: string[]) => volume({ ...handedOver, annotations: stage.annotations.transferred(...marks) });

  test.each<[string, CheckingWorld, Partial<CheckingWorld>, string]>([
    ['stays when the snapshot goes', restored, { snapshot: undefined, content: undefined }, 'done Restored'],
    ['stays when its content goes', restored, { content: undefined }, 'done Restored'],
    [
      'stays when another snapshot gets its name',
      restored,
      { snapshot: snapshot({ uid: 'another' }) },
      'done Restored',
    ],
    ['stays when the source goes', cloned, { sourceClaim: undefined, sourceVolume: undefined }, 'done Cloned'],
    ['stays when the populator goes', populated, { populators: [] }, 'done Populated'],
    ['stays when others remain', populated, { populators: [stage.populator('example.com')] }, 'done Populated'],
    [
      'stays when the volume is offered on',
      { settings: on, claim: came, volume: given() },
      { volume: given('pending', 'stage/bar') },
      'done Transferred',
    ],
  ])('%s', (_, before, change, answer) => {
    expect(summaryOf(decide({ ...before, claim: told(before), ...change }, now))).toBe(answer);
  });

  test('counts in our own words only, and for the volume that they name', () => {
    const said = conditionOf(told(restored));
    const gone = { ...restored, snapshot: undefined };
    const others = said && { ...said, message: `${said.message}!` };
    for (const world of [
      { ...gone, claim: saying(restored.claim, others) },
      { ...gone, claim: told(restored), volume: volume({ name: `vol-${stage.uid}` }) },
    ]) {
      expect(conditionOf(settle(decide, world, {}, now).world.claim)).toMatchObject({ reason: 'SourceGone' });
    }
  });

  test('does not hold against what is seen', () => {
    const claim = told(populated);
    const marks = { ...stage.annotations.made, ...stage.annotations.chosen };
    const world = { ...populated, claim, volume: volume({ ...handedOver, annotations: marks }) };
    expect(conditionOf(settle(decide, world, {}, now).world.claim)).toMatchObject({ reason: 'OriginUnknown' });
  });
});

describe('Events', () => {
  test('tell of data once, however its words may change', () => {
    const said = conditionOf(told(restored));
    const claim = saying(restored.claim, said && { ...said, message: 'in other words' });
    expect(writeOf(decide({ ...restored, claim }, now)).announce).toEqual([]);
  });

  test('tell of every other trouble anew', () => {
    const claim = stage.claim(sources.snapshot, 'Pending');
    const failing = (message: string) => snapshot({}, { error: { message } });
    const before = told({ claim, snapshot: failing('one') });
    const decision = decide({ settings: on, claim: before, snapshot: failing('two') }, now);
    expect(writeOf(decision).announce).toMatchObject([{ type: 'Warning', reason: 'SourceNotReady' }]);
  });
});
