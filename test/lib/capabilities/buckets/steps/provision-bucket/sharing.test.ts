import { describe, expect, test } from '@jest/globals';
import { createDrivers } from '../../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import type { BucketContent } from '../../../../../../lib/capabilities/buckets/objects.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import { readFor } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/read.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable } from '../../bucket-table.ts';
import { going, goingAtWork, revoked, wanted } from './world.ts';

const { content, startedAt, storeName } = stage;

/** Another content for the same bucket, of a Bucket in this namespace or in another one. */
function guest(namespace: string, status: BucketContent['status'], spec: Partial<BucketContent['spec']> = {}) {
  const uuid = `uid-of-${namespace}`;
  return content({
    metadata: { name: `guest-${namespace}`, uid: `uid-guest-${namespace}` },
    spec: { flow: 'Brownfield', bucketIdentifier: storeName, bucketRef: { namespace, name: 'guest', uuid }, ...spec },
    status,
  });
}

const inUse = guest('team-b', { phase: 'Bound', startedAt });
const waiting = {
  reason: 'SharedWithOthers',
  message: `bucket ${storeName} is used by 1 Bucket of other namespaces: it is kept, with all its contents, until they are gone`,
};
const told = (reason: { reason: string; message: string }) => ({
  message: reason.message,
  conditions: [stage.provisioned('False', reason.reason, reason.message)],
});

describe('a bucket that others use through a class', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'is not emptied with the Bucket that it was made for, whose own access has been taken back by then',
      world: { ...goingAtWork(), revoked, namesakes: [inUse] },
      says: 'wait SharedWithOthers',
      on: 'content',
      saying: waiting.message,
    },
    {
      situation: 'says with that, that its own access has been taken back',
      world: { ...goingAtWork(), revoked, namesakes: [inUse] },
      write: 'patch content status',
      body: { status: { emptied: 0, lease: null } },
      next: 'wait SharedWithOthers',
    },
    {
      situation: 'does not name who is in other namespaces',
      world: {
        ...goingAtWork(),
        revoked,
        namesakes: [
          inUse,
          guest('prod', { startedAt }),
          guest('team-c', { phase: 'Failed' }, { secretRef: stage.sourceRef }),
        ],
      },
      says: 'wait SharedWithOthers',
      on: 'content',
      saying: 'is used by Bucket prod/guest, 2 Buckets of other namespaces:',
    },
    {
      situation: 'is kept without asking the store each time',
      world: { ...going(told(waiting)), namesakes: [inUse] },
      answer: 'wait SharedWithOthers',
    },
    {
      situation: 'is kept as well when some of it has gone already',
      world: {
        ...goingAtWork(),
        content: content({
          ...stage.deleting,
          status: { phase: 'Bound', startedAt, emptied: 10, lease: stage.lease(60) },
        }),
        revoked,
        namesakes: [inUse],
      },
      says: 'wait SharedWithOthers',
      on: 'content',
    },
    {
      situation: 'goes when they are gone',
      world: { ...going({ ...told(waiting), lease: stage.lease(60) }), revoked, namesakes: [] },
      call: 'call DeleteBucket',
      answer: { result: 'deleted' },
      next: 'patch content status',
    },
    {
      situation: 'goes at once when they are gone, although no access is found a second time',
      world: {
        ...going({ ...told(waiting), emptied: 0, calledAt: stage.before(60), lease: stage.lease(60) }),
        secret: stage.source(stage.data),
        revoked: { result: 'revoked', found: false },
        namesakes: [],
      },
      call: 'call DeleteBucket',
      answer: { result: 'deleted' },
      next: 'patch content status',
    },
    {
      situation: 'goes when they have given it back, or have not begun',
      world: {
        ...goingAtWork(),
        revoked,
        namesakes: [guest('team-b', { phase: 'Released', startedAt }), guest('team-c', {})],
      },
      call: 'call DeleteBucket',
      answer: { result: 'deleted' },
      next: 'patch content status',
    },
    {
      situation: 'is no matter where it stays anyway',
      world: { ...goingAtWork({ releasePolicy: 'Retain' }), revoked, namesakes: [inUse] },
      says: 'done Released',
      on: 'content',
      saying: 'the bucket stays',
    },
  ]);
});

describe('access to a bucket that is about to be emptied', () => {
  const joining = (status: BucketContent['status']): ProvisioningWorld => ({
    ...wanted({}, 'Brownfield'),
    content: content({ spec: { flow: 'Brownfield', bucketIdentifier: storeName }, status }),
    namesakes: [goingAtWork().content as BucketContent],
  });
  const first = { lease: stage.lease(60), startedAt: stage.now.toISOString() };

  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'is not given',
      world: joining({}),
      says: 'wait BucketGoing',
      on: 'content',
      saying: `bucket ${storeName} is being deleted with the Bucket that it was created for`,
    },
    {
      situation: 'is not held up by the word that it has begun, which is taken back',
      world: joining(first),
      write: 'patch content status',
      body: { status: { lease: null, startedAt: null } },
      next: 'wait BucketGoing',
    },
    {
      situation: 'is taken back where somebody has begun before',
      world: joining({ lease: stage.lease(60), startedAt }),
      call: 'call RevokeBucketAccess',
      answer: revoked,
      next: 'patch content status',
    },
    {
      situation: 'is given where the deletion keeps the bucket',
      world: { ...joining(first), namesakes: [content({ ...stage.deleting, spec: { releasePolicy: 'Retain' } })] },
      write: 'create secret',
      next: 'call GrantBucketAccess',
    },
    {
      situation: 'that it has had before stays: the bucket is kept for it',
      world: {
        ...joining(first),
        content: content({ spec: { flow: 'Brownfield', secretRef: stage.sourceRef }, status: first }),
      },
      write: 'create secret',
      next: 'call GrantBucketAccess',
    },
  ]);
});

describe('who else means the same bucket', () => {
  const drivers = createDrivers([{ name: stage.driver, type: 's3', region: 'eu-central-1' }], {
    identity: 'deployment-1',
  });
  const read = readFor({ drivers, identity: 'deployment-1', worker: 'worker-1' });
  const key = { name: stage.contentName };
  const others = [inUse, guest('team-c', {}, { bucketIdentifier: 'archive' })];
  const namesOf = ({ namesakes }: ProvisioningWorld) => namesakes?.map(({ metadata }) => metadata.name);

  test('is looked for before a bucket is emptied', async () => {
    const world = await read(clusterOf(content(stage.deleting), ...others), key);
    expect(namesOf(world)).toEqual([inUse.metadata.name]);
  });

  test('is looked for before access to a bucket is given', async () => {
    const joining = content({ spec: { flow: 'Brownfield', bucketIdentifier: storeName } });
    const world = await read(clusterOf(joining, stage.bucket(), ...others), key);
    expect(namesOf(world)).toEqual([inUse.metadata.name]);
  });

  test.each([
    ['that is being made', content()],
    ['that stays', content({ ...stage.deleting, spec: { releasePolicy: 'Retain' } })],
    ['to which access was given before', content({ spec: { flow: 'Brownfield', secretRef: stage.sourceRef } })],
  ])('is not looked for with a bucket %s', async (_, of) => {
    const cluster = clusterOf(of, stage.bucket(), ...others);
    expect((await read(cluster, key)).namesakes).toBeUndefined();
  });
});
