import { describe, expect, test } from '@jest/globals';
import { decide, decideFailed } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, summaryOf, testTable } from '../../bucket-table.ts';
import { atWork, base, created, going, granted, revoked, wanted, worker } from './world.ts';

const { lease, later, now, startedAt } = stage;
const named = (driverSecret?: ProvisioningWorld['driverSecret']): ProvisioningWorld => ({
  ...base,
  driverSecret,
  content: stage.leased({ spec: { parameters: { driverSecretName: 'admin' } } }),
});

describe('the store is called', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'by nobody while another worker may be at it',
      world: wanted({ lease: lease(1, 'worker-2'), startedAt }),
      answer: 'retry Busy',
    },
    { situation: 'also not to take access back', world: going({ lease: lease(1, 'worker-2') }), answer: 'retry Busy' },
    {
      situation: 'by us when the lease of another has run out',
      world: wanted({ lease: lease(0, 'worker-2'), startedAt }),
      write: 'patch content status',
      body: { status: { lease: { holder: worker }, startedAt } },
      next: 'call CreateBucket',
    },
    {
      situation: 'only with enough time before the lease ends',
      world: wanted({ lease: lease(21), startedAt }),
      write: 'patch content status',
      body: { status: { lease: lease(60) } },
      next: 'call CreateBucket',
    },
    {
      situation: 'with a deadline before the next one may begin',
      world: wanted({ lease: lease(22), startedAt }),
      call: 'call CreateBucket',
      request: { deadline: now.getTime() + 12_000 },
      answer: created,
      next: 'create secret',
    },
    {
      situation: 'for access again only with a lease that lasts',
      world: { ...wanted({ lease: lease(21), startedAt }), created, secret: stage.source() },
      write: 'patch content status',
      next: 'call GrantBucketAccess',
    },
    {
      situation: 'for nothing more once another has the lease',
      world: { ...wanted({ lease: lease(60, 'worker-2'), startedAt }), created, granted, secret: stage.source() },
      answer: 'retry Busy',
    },
    {
      situation: 'for the deletion only with a lease that lasts',
      world: { ...going({ lease: lease(21) }), revoked },
      write: 'patch content status',
      next: 'call DeleteBucket',
    },
    {
      situation: "with the administrator's keys that the class names",
      world: named(stage.administratorsSecret),
      call: 'call CreateBucket',
      request: { secrets: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' } },
      answer: created,
      next: 'create secret',
    },
    {
      situation: 'not at all without the Secret that the class names',
      world: named(),
      write: 'patch content status',
      body: {
        status: {
          phase: 'Retrying',
          conditions: [{ reason: 'DriverSecretMissing', message: expect.stringContaining('Secret admin') }],
        },
      },
      next: 'wait DriverSecretMissing',
    },
  ]);
});

describe('after a failure that somebody has to mend', () => {
  const failed = (seconds: number) =>
    wanted({ phase: 'Failed', message: 'taken', failedAt: stage.before(seconds), startedAt });
  const failedGoing = (seconds: number) =>
    going({ phase: 'Failed', message: 'full', failedAt: later(seconds).toISOString() });

  testTable<ProvisioningWorld>(decide, [
    { situation: 'the store is left alone for ten minutes', world: failed(599), answer: 'wait Resting' },
    { situation: 'and then asked again', world: failed(600), write: 'patch content status', next: 'call CreateBucket' },
    {
      situation: 'a deletion is another matter',
      world: failedGoing(-30),
      write: 'patch content status',
      next: 'call RevokeBucketAccess',
    },
    { situation: 'a deletion that failed rests as well', world: failedGoing(0), answer: 'wait Resting' },
  ]);

  test('success forgets it', () => {
    const answers = { CreateBucket: created, GrantBucketAccess: granted };
    expect(settle(decide, failed(600), answers).world.content?.status?.failedAt).toBeUndefined();
  });
});

describe('the last failure', () => {
  const told = (world: ProvisioningWorld) =>
    settle((each: ProvisioningWorld, at) => decideFailed(each, 'timeout', at), world);

  test('is told on the content, which rests from then on', () => {
    const { world, writes, decision } = told(atWork());
    expect([writes, summaryOf(decision)]).toEqual([['patch content status'], 'reject Failed']);
    expect(world.content?.status).toMatchObject({ phase: 'Failed', message: 'timeout', failedAt: now.toISOString() });
    expect(summaryOf(decide(world, later(1)))).toBe('wait Resting');
  });

  test.each(['Ready', 'Bound', 'Released'] as const)('is not told over the word that a content is %s', (phase) => {
    expect(told(wanted({ phase, startedAt })).writes).toEqual([]);
  });

  test('of a content that is gone is told nobody', () => {
    expect(told(base).writes).toEqual([]);
  });
});
