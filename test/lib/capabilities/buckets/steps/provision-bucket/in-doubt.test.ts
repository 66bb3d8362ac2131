import { describe } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable } from '../../bucket-table.ts';
import { base, going, goingAtWork, wanted } from './world.ts';

const { startedAt } = stage;
const elsewhere = { startedAt, startedBy: 'deployment-2' };
const withoutBucket = (world: ProvisioningWorld): ProvisioningWorld => ({ ...world, bucket: undefined });
const byOthers = { problems: undefined, registration: stage.registration('others') };
const justNow = { calledAt: stage.before(60), lease: stage.lease(60) };
const nothing = { result: 'revoked', found: false } as const;
const spec = { secretRef: stage.sourceRef };

describe('what another deployment has begun', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'is not provisioned in a store of ours',
      world: wanted(elsewhere),
      says: 'wait StartedElsewhere',
      on: 'content',
      saying: 'deployment-2',
    },
    {
      situation: 'is not taken for gone because it is not in ours',
      world: going(elsewhere),
      says: 'wait StartedElsewhere',
      on: 'content',
      saying: 'deployment-2',
    },
  ]);
});

describe('a content whose Bucket is gone', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: "and which another driver serves is that driver's",
      world: withoutBucket({ ...wanted({ phase: 'Bound' }), ...byOthers }),
      answer: 'done NotOurDriver',
    },
    {
      situation: 'and whose driver is away stays: nobody knows what there is',
      world: withoutBucket({ ...wanted({ phase: 'Bound' }), problems: undefined, registration: undefined }),
      answer: 'done NotOurDriver',
    },
    {
      situation: 'and which comes from a backup, without its status, stays',
      world: withoutBucket({ ...base, content: stage.content({ spec }) }),
      says: 'wait BucketLost',
      on: 'content',
    },
    {
      situation: 'goes when nothing has been made for it',
      world: withoutBucket(wanted()),
      write: 'delete content',
      next: 'patch content status',
    },
  ]);
});

describe('a content that is to go', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'waits for its driver when that may have made something',
      world: { ...going({ startedAt: undefined } as never), problems: undefined, registration: undefined },
      says: 'wait DriverNotConfigured',
      on: 'content',
    },
    {
      situation: 'is not released by a store that does not know yet what it made a moment ago',
      world: { ...going(justNow), revoked: nothing, secret: stage.source() },
      write: 'patch content status',
      body: { status: { phase: 'Retrying', lease: null } },
      next: 'retry StoreUnavailable',
    },
    {
      situation: 'is released at once where the store was never asked for access',
      world: { ...going(justNow), revoked: nothing, deleted: { result: 'deleted' } },
      write: 'patch content status',
      body: { status: { phase: 'Released' } },
      next: 'done Released',
    },
    {
      situation: 'is released at once where the store has said no',
      world: {
        ...going({ ...justNow, phase: 'Failed' }),
        secret: stage.source(),
        revoked: nothing,
        deleted: { result: 'deleted' },
      },
      write: 'patch content status',
      body: { status: { phase: 'Released' } },
      next: 'done Released',
    },
    {
      situation: 'is released when what was made long ago is gone',
      world: { ...goingAtWork(spec), revoked: nothing, deleted: { result: 'deleted' } },
      write: 'patch content status',
      body: { status: { phase: 'Released' } },
      next: 'done Released',
    },
  ]);
});
