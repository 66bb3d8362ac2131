import { describe } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable } from '../../bucket-table.ts';
import { base, going, goingAtWork, revoked, worker } from './world.ts';

const { content, deleting, startedAt } = stage;
const kept = { releasePolicy: 'Retain' } as const;
const emptying = { result: 'emptying', removed: 1_000 } as const;
const deleted = { result: 'deleted' } as const;

describe('what there is in the store is given back, one write or call after the other:', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'only with the lease',
      world: going({}),
      write: 'patch content status',
      body: { status: { lease: { holder: worker }, startedAt } },
      next: 'call RevokeBucketAccess',
    },
    {
      situation: 'access first',
      world: goingAtWork(),
      call: 'call RevokeBucketAccess',
      request: { bucket: stage.storeName, owner: stage.uid },
      answer: revoked,
      next: 'call DeleteBucket',
    },
    {
      situation: 'then the bucket, where the class says so',
      world: { ...goingAtWork(), revoked },
      call: 'call DeleteBucket',
      request: { bucket: stage.storeName, owner: stage.uid },
      answer: deleted,
      next: 'patch content status',
    },
    {
      situation: 'which is told',
      world: { ...goingAtWork(), revoked, deleted },
      says: 'done Released',
      on: 'content',
      saying: 'is deleted',
      phase: 'Released',
    },
    {
      situation: 'the bucket stays where the class says so',
      world: { ...goingAtWork(kept), revoked },
      says: 'done Released',
      on: 'content',
      saying: 'the bucket stays',
      phase: 'Released',
    },
    {
      situation: 'a bucket that was there before stays',
      world: { ...goingAtWork({ flow: 'Brownfield' }), revoked },
      says: 'done Released',
      on: 'content',
      saying: 'the bucket stays',
    },
    {
      situation: 'and so it does whatever its policy says',
      world: { ...goingAtWork({ flow: 'Brownfield', releasePolicy: 'Delete' }), revoked },
      says: 'done Released',
      on: 'content',
      saying: 'the bucket stays',
    },
    {
      situation: "a bucket of somebody else's is left, and a person is told",
      world: { ...goingAtWork(), revoked, deleted: { result: 'foreign', message: 'not ours' } },
      says: 'done Released',
      on: 'content',
      saying: 'not ours',
    },
    {
      situation: 'a part of what is in it is told',
      world: { ...goingAtWork(), revoked, deleted: emptying },
      write: 'patch content status',
      body: { status: { emptied: 1_000, lease: null } },
      next: 'wait Emptying',
    },
    {
      situation: 'and counts together with the parts before',
      world: { ...going({ lease: stage.lease(60), emptied: 500 }), revoked, deleted: emptying },
      write: 'patch content status',
      body: { status: { emptied: 1_500 } },
      next: 'wait Emptying',
    },
    {
      situation: 'the content is let go by whoever binds its Bucket',
      world: going({ phase: 'Released' }),
      answer: 'done Released',
    },
    {
      situation: 'or here, when there is no Bucket any more',
      world: { ...going({ phase: 'Released' }), bucket: undefined },
      write: 'patch content',
      exactly: { metadata: { finalizers: [] } },
      next: 'done NotHeld',
    },
    {
      situation: 'with nothing in the store there is nothing to do',
      world: { ...base, bucket: undefined, content: content(deleting) },
      write: 'patch content status',
      body: { status: { phase: 'Released' } },
      next: 'patch content',
    },
    {
      situation: 'nor with a static content',
      world: {
        ...base,
        bucket: undefined,
        problems: undefined,
        registration: undefined,
        content: content({ ...deleting, spec: { flow: 'Static' } }),
      },
      write: 'patch content status',
      next: 'patch content',
    },
  ]);
});
