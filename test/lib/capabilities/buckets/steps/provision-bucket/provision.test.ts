import { describe } from '@jest/globals';
import type { GrantAccessOutcome } from '../../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { settle, testTable } from '../../bucket-table.ts';
import { atWork, created, credentials, granted, wanted, worker } from './world.ts';

const { source, now } = stage;
const full = settle(decide, { ...atWork(), created, granted, secret: source() }).world.secret;
const requested = {
  bucket: stage.storeName,
  owner: stage.uid,
  parameters: {},
  secrets: {},
  deadline: now.getTime() + 12_000,
  cluster: 'main',
};
/** What is held is right as it is. */
const held: GrantAccessOutcome = { ...granted, credentials: undefined };
const requester = { namespace: 'prod', name: 'photos' };

describe('a new bucket is provisioned, one write or call after the other:', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'the store is called only with the lease',
      world: wanted(),
      write: 'patch content status',
      exactly: {
        status: {
          lease: { holder: worker, until: '2026-03-01T12:01:00.000Z' },
          startedAt: now.toISOString(),
          startedBy: 'deployment-1',
          calledAt: now.toISOString(),
          settledParameters: {},
        },
      },
      next: 'call CreateBucket',
    },
    {
      situation: 'the bucket is first, by a name that is recorded',
      world: atWork(),
      call: 'call CreateBucket',
      request: { ...requested, requester },
      answer: created,
      next: 'create secret',
    },
    {
      situation: 'a Secret is reserved before there are credentials',
      world: { ...atWork(), created },
      write: 'create secret',
      exactly: {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'Opaque',
        metadata: { ...stage.sourceRef, labels: stage.labels, ownerReferences: [stage.ownedBy('BucketContent')] },
      },
      next: 'call GrantBucketAccess',
    },
    {
      situation: 'access is granted to whom the Secret holds nothing for',
      world: { ...atWork(), created, secret: source() },
      call: 'call GrantBucketAccess',
      request: { ...requested, requester, flow: 'Greenfield', mode: 'rw', held: {} },
      answer: granted,
      next: 'patch secret',
    },
    {
      situation: 'what the Secret holds is told to the driver',
      world: { ...atWork(), created, secret: source(stage.data) },
      call: 'call GrantBucketAccess',
      request: { held: credentials },
      answer: held,
      next: 'patch secret',
    },
    {
      situation: 'the credentials go into the Secret',
      world: { ...atWork(), created, secret: source(), granted },
      write: 'patch secret',
      body: { data: stage.encoded({ ...credentials, BUCKET_NAME: stage.storeName }) },
      next: 'patch content',
    },
    {
      situation: 'the content says where they are',
      world: { ...atWork(), created, granted, secret: full },
      write: 'patch content',
      exactly: { spec: { secretRef: stage.sourceRef } },
      next: 'patch content status',
    },
    {
      situation: 'and only then that they are there, and gives the lease back',
      world: {
        ...atWork(),
        created,
        granted,
        secret: full,
        content: stage.leased({ spec: { secretRef: stage.sourceRef } }),
      },
      write: 'patch content status',
      body: {
        status: {
          phase: 'Ready',
          lease: null,
          failedAt: null,
          conditions: [{ status: 'True', reason: 'Provisioned' }],
        },
      },
      next: 'done Provisioned',
    },
    {
      situation: 'access to a bucket that exists needs no bucket made',
      world: atWork('Brownfield'),
      write: 'create secret',
      next: 'call GrantBucketAccess',
    },
  ]);
});
