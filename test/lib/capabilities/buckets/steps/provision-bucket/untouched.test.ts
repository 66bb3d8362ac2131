import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable, writeOf } from '../../bucket-table.ts';
import { base, created, wanted } from './world.ts';

const refused = { result: 'denied', message: 'wrong keys', hasChangedNothing: true } as const;
const unclear = { result: 'unavailable', message: 'no answer' } as const;
const settledParameters = { region: 'eu-central-1' };
const first = {
  lease: stage.lease(60),
  startedAt: stage.now.toISOString(),
  startedBy: 'deployment-1',
  settledParameters,
};
const later = { ...first, startedAt: stage.startedAt };
const cleared = { startedAt: null, startedBy: null, settledParameters: null, lease: null };
const goingWith = (status: object): ProvisioningWorld => ({
  ...base,
  bucket: stage.bucket(stage.deleting),
  content: stage.content({ ...stage.deleting, status }),
});

describe('a content for which the store was never called', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'goes, whatever is wrong with its parameters',
      world: { ...goingWith({ phase: 'Failed' }), problems: ['The parameter region is missing'] },
      says: 'done Released',
      on: 'content',
      saying: 'nothing had been created in the store',
      phase: 'Released',
    },
    {
      situation: 'goes, although the Secret that its class names for the driver is not there',
      world: goingWith({ phase: 'Retrying' }),
      says: 'done Released',
      on: 'content',
      saying: 'nothing had been created in the store',
      phase: 'Released',
    },
    {
      situation: 'goes without its Bucket as well',
      world: { ...wanted({ phase: 'Failed' }), bucket: undefined },
      write: 'delete content',
      next: 'patch content status',
    },
  ]);
});

describe('a store that refuses the first call', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'has nothing to give back, which is written down',
      world: { ...wanted(first), created: refused },
      write: 'patch content status',
      body: { status: { phase: 'Retrying', ...cleared } },
      next: 'retry AccessDenied',
    },
    {
      situation: 'of access to a bucket that was there before, neither',
      world: { ...wanted(first, 'Brownfield'), secret: stage.source({}), granted: { ...refused, result: 'missing' } },
      write: 'patch content status',
      body: { status: { phase: 'Failed', ...cleared } },
      next: 'reject NotFound',
    },
  ]);

  test.each<[string, ProvisioningWorld]>([
    ['and may have done as asked an earlier time', { ...wanted(later), created: refused }],
    ['in a way that does not say what was done', { ...wanted(first), created: unclear }],
    ['when the bucket has been made', { ...wanted(first), created, secret: stage.source({}), granted: refused }],
  ])('%s is asked to give back what there is', (_, world) => {
    const write = writeOf(decide(world, stage.now));
    expect('body' in write && write.body).toMatchObject({ status: { phase: 'Retrying', lease: null } });
    expect('body' in write && JSON.stringify(write.body)).not.toContain('startedAt');
  });
});
