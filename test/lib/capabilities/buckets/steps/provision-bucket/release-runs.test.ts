import { describe, expect, test } from '@jest/globals';
import type { DeleteBucketOutcome } from '../../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, statusIn, summaryOf, testTable } from '../../bucket-table.ts';
import { base, failures, going, goingAtWork, revoked, wanted } from './world.ts';

const { content, startedAt } = stage;
const emptying = { result: 'emptying', removed: 1_000 } as const;
const deleted = { result: 'deleted' } as const;

test('parameters that are not right any more do not keep anything from being given back', () => {
  expect(summaryOf(decide({ ...goingAtWork(), problems: ['wrong'] }, stage.now))).toBe('call RevokeBucketAccess');
});

test('a driver without a registration still gives back what it made', () => {
  expect(summaryOf(decide({ ...goingAtWork(), registration: undefined }, stage.now))).toBe('call RevokeBucketAccess');
});

describe('a driver that fails', () => {
  test.each(failures)('with %s is told as %s, and the content is kept', (result, reason, phase, verdict) => {
    const failure = { result, message: 'in plain words' };
    for (const answers of [{ revoked: failure }, { revoked, deleted: failure }]) {
      const { writes, decision, world } = settle(decide, { ...goingAtWork(), ...answers } as ProvisioningWorld);
      expect([writes, summaryOf(decision)]).toEqual([['patch content status'], `${verdict} ${reason}`]);
      expect(statusIn(world, 'content')).toMatchObject({ phase, message: 'in plain words' });
    }
  });

  test('to delete a bucket that must not be emptied says so', () => {
    const occupied: DeleteBucketOutcome = { result: 'occupied', message: 'not empty' };
    const { writes, decision, world } = settle(decide, { ...goingAtWork(), revoked, deleted: occupied });
    expect([writes, summaryOf(decision)]).toEqual([['patch content status'], 'reject NotEmpty']);
    expect(statusIn(world, 'content')).toMatchObject({ phase: 'Failed', message: 'not empty' });
  });
});

describe('a content whose Bucket has gone without it', () => {
  const lost = (releasePolicy: 'Delete' | 'Retain', flow: 'Greenfield' | 'Brownfield' = 'Greenfield') => ({
    ...base,
    bucket: undefined,
    content: content({ spec: { flow, releasePolicy }, status: { phase: 'Bound', startedAt } }),
  });

  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'is kept, with all that is in the bucket, and says so',
      world: lost('Delete'),
      says: 'wait BucketLost',
      on: 'content',
      saying: 'its contents stay',
      phase: 'Bound',
    },
    {
      situation: 'or does not',
      world: lost('Retain'),
      says: 'wait BucketLost',
      on: 'content',
      saying: 'keeps the bucket',
    },
    {
      situation: 'never destroys what was there before',
      world: lost('Delete', 'Brownfield'),
      says: 'wait BucketLost',
      on: 'content',
      saying: 'keeps the bucket',
    },
    {
      situation: 'goes where nothing is in the store',
      world: { ...wanted(), bucket: undefined },
      write: 'delete content',
      next: 'patch content status',
    },
    {
      situation: 'goes where it is static',
      world: { ...wanted({}, 'Static'), bucket: undefined },
      write: 'delete content',
      next: 'patch content status',
    },
    {
      situation: 'goes as its policy says once a person deletes it',
      world: { ...goingAtWork(), bucket: undefined },
      call: 'call RevokeBucketAccess',
      answer: revoked,
      next: 'call DeleteBucket',
    },
  ]);
});

test.each([
  ['Delete', ['call DeleteBucket']],
  ['Retain', []],
] as const)('a whole run of %s', (releasePolicy, last) => {
  const answers = { RevokeBucketAccess: revoked, DeleteBucket: deleted };
  const { writes, decision } = settle(decide, going({}, { releasePolicy }), answers);
  const expected = ['patch content status', 'call RevokeBucketAccess', ...last, 'patch content status'];
  expect([writes, summaryOf(decision)]).toEqual([expected, 'done Released']);
});

test('a large bucket is emptied part by part, each in a run of its own, until it is gone', () => {
  const answers = { RevokeBucketAccess: revoked, DeleteBucket: emptying };
  let world = going({});
  for (const emptied of [1_000, 2_000]) {
    const { content: after } = settle(decide, world, answers).world;
    expect(after?.status).toMatchObject({ emptied });
    world = { ...world, content: after };
  }
  expect(summaryOf(settle(decide, world, { ...answers, DeleteBucket: deleted }).decision)).toBe('done Released');
});
