import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, testTable } from '../../bucket-table.ts';
import { atWork, base, created, granted, wanted, worker } from './world.ts';

const { source } = stage;
const full = settle(decide, { ...atWork(), created, granted, secret: source() }).world.secret;

describe('beyond the ordinary course,', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'what is provisioned is left alone',
      world: { ...base, content: stage.ready(), secret: full },
      answer: 'done Provisioned',
    },
    {
      situation: 'a Secret that has gone is filled again, and nobody takes it to be there meanwhile',
      world: { ...base, content: stage.ready() },
      write: 'patch content status',
      body: { status: { phase: 'Retrying', lease: { holder: worker } } },
      next: 'call CreateBucket',
    },
    {
      situation: 'a static content has no driver',
      world: { ...wanted({}, 'Static'), problems: undefined, registration: undefined },
      answer: 'done NotOurDriver',
    },
    {
      situation: 'the Bucket is not provisioned any more once it is deleted',
      world: { ...wanted(), bucket: stage.bucket(stage.deleting) },
      answer: 'wait BucketDeleted',
    },
    {
      situation: "another deployment's driver is left alone",
      world: { ...wanted(), registration: stage.registration('deployment-2') },
      answer: 'done NotOurDriver',
    },
    {
      situation: 'a content that is not held is left alone',
      world: { ...base, content: stage.content({ metadata: { finalizers: [] } }) },
      answer: 'done NotHeld',
    },
    { situation: 'a content that is gone needs nothing', world: base, answer: 'done ContentGone' },
    {
      situation: 'nothing begins before the driver is registered',
      world: { ...wanted(), registration: undefined },
      says: 'wait DriverNotRegistered',
      on: 'content',
    },
    {
      situation: 'what the driver finds wrong is said without asking the store',
      world: { ...wanted(), problems: ['one', 'two'] },
      says: 'reject Invalid',
      on: 'content',
      saying: 'one; two',
      phase: 'Failed',
    },
    {
      situation: "a Secret that is somebody else's is not filled",
      world: { ...wanted(), secret: source({}, { ownerReferences: [] }) },
      says: 'reject NameTaken',
      on: 'content',
      saying: stage.sourceName,
    },
    {
      situation: 'what the server refuses is said',
      world: { ...atWork(), refused: { slot: 'secret', message: 'quota' } },
      says: 'reject Failed',
      on: 'content',
      saying: 'the secret cannot be written: quota',
    },
  ]);
});

describe('when the server has refused the Secret,', () => {
  const forbidden = 'secrets "bucket-1" is forbidden: unable to create new content in namespace longshore-system';
  const refusedWith = (message: string) => settle(decide, { ...atWork(), refused: { slot: 'secret', message } }).world;

  test('the store is left alone for a while, as only somebody can mend that', () => {
    const { content } = refusedWith(`${forbidden} because of a quota`);
    expect(content?.status).toMatchObject({ phase: 'Failed', failedAt: expect.any(String) });
    expect(settle(decide, { ...wanted(), content }).decision).toMatchObject({ do: 'wait', reason: 'Resting' });
  });

  test('what wakes us next tries again at once, if the namespace only goes and may be made again', () => {
    const { content } = refusedWith(`${forbidden} because it is being terminated`);
    expect(content?.status?.phase).toBe('Failed');
    expect(content?.status?.failedAt).toBeUndefined();
    expect(settle(decide, { ...wanted(), content }).decision).not.toMatchObject({ reason: 'Resting' });
  });
});
