import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Bucket, BucketClass, BucketContent } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { testClient } from './administrator.ts';
import {
  contentOf,
  environmentFor,
  giveBucketUp,
  sourceSecretOf,
  untilBucketBound,
  userSecretOf,
} from './case-bucket-waits.ts';
import { makeBucket, makeSharedKeys, planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilEvents } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver, sharedKeysDriver } = longshore;
const apiVersion = 'cosi.io/v1alpha1';
const held = { finalizers: ['cosi.io/finalizer'] };

async function provisioned(fields: Partial<BucketClass>, spec: Partial<Bucket['spec']> = {}) {
  const bucket = await untilBucketBound(client, await makeBucket(client, planBucket(fields, spec)));
  const content = await contentOf(client, bucket);
  const [target, source] = await Promise.all([userSecretOf(client, bucket), sourceSecretOf(client, content)]);
  return { bucket, content, target, source };
}

type Provisioned = Awaited<ReturnType<typeof provisioned>>;

/** What all flows have in common: the two sides name each other, and the user's Secret is the Bucket's own. */
function expectBound({ bucket, content, target, source }: Provisioned): void {
  const { namespace, name, uid } = bucket.metadata;
  expect(bucket.metadata).toMatchObject(held);
  expect(bucket.status).toMatchObject({ phase: 'Bound', bucketContentName: content.metadata.name });
  expect(bucket.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'Ready True',
    'Bound True',
    'SecretReady True',
  ]);
  expect(content.metadata).toMatchObject(held);
  expect(content.metadata.name).toMatch(new RegExp(`^${bucket.spec.bucketClassName}-[0-9a-f]{20}$`));
  expect(content.spec.bucketClassName).toBe(bucket.spec.bucketClassName);
  expect(content.spec.bucketRef).toMatchObject({ namespace, name, uuid: uid });
  expect(content.status?.phase).toBe('Bound');
  expect(target.metadata.ownerReferences).toEqual([{ apiVersion, kind: 'Bucket', name, uid, controller: true }]);
  expect(target.data).toEqual(source.data);
}

/** What the driver has made is labelled with its name, and its credentials belong to the content. */
function expectDriven(by: string, { bucket, content, target, source }: Provisioned): void {
  for (const { metadata } of [bucket, content, target, source] as (Bucket | BucketContent | Secret)[]) {
    expect(metadata.labels).toEqual({ 'cosi.io/provisioner': by });
  }
  expect(content.spec.provisioner).toBe(by);
  const { name, uid } = content.metadata;
  expect(content.spec.secretRef).toEqual({ namespace: 'longshore-system', name: source.metadata.name });
  expect(source.metadata.ownerReferences).toEqual([{ apiVersion, kind: 'BucketContent', name, uid, controller: true }]);
}

describe('a bucket that is made', () => {
  test('stands with all that belongs to it, and goes with all that is in it where its class says so', async () => {
    const parameters = { versioning: 'true', expireDays: '30', tags: 'team=photos' };
    const fields = { provisioner: driver, releasePolicy: 'Delete', supportedProtocols: ['s3'], parameters } as const;
    const made = await provisioned({ ...fields, supportedProtocols: ['s3'] }, { bucketPrefix: 'photos-' });
    expectBound(made);
    expectDriven(driver, made);
    const { bucket, content } = made;
    expect(content.spec).toMatchObject({ ...fields, flow: 'Greenfield' });
    const { bucketIdentifier = '' } = content.spec;
    const environment = await environmentFor(client, bucket);
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = environment;
    expect(environment).toMatchObject({ BUCKET_NAME: bucketIdentifier, AWS_REGION: 'eu-central-1' });
    expect(store.liveKeys).toEqual([expect.objectContaining({ id, secret })]);
    expect(bucketIdentifier).toMatch(/^photos-[0-9a-f]{32}$/);
    expect(store.bucket(bucketIdentifier)).toMatchObject({ isVersioned: true, expireDays: 30 });
    await untilEvents(client, bucket, 'Provisioning', 'Copied', 'Bound');
    await untilEvents(client, content, 'Provisioned');

    store.put(bucketIdentifier, 'summer.jpg');
    await giveBucketUp(client, bucket);
    expect([store.bucket(bucketIdentifier), store.users, store.liveKeys]).toEqual([undefined, [], []]);
    await untilEvents(client, bucket, 'Releasing', 'Released');
    await untilEvents(client, content, 'Released');
  });

  test('stays with all that is in it where its class says nothing else, and access to it goes', async () => {
    const { bucket, content } = await provisioned({ provisioner: driver });
    const { bucketIdentifier = '', releasePolicy } = content.spec;
    expect(releasePolicy).toBe('Retain');
    store.put(bucketIdentifier, 'summer.jpg');
    await giveBucketUp(client, bucket);
    expect(store.bucket(bucketIdentifier)?.versions).toHaveLength(1);
    expect([store.users, store.liveKeys]).toEqual([[], []]);
  });

  test('of a store without users is reached by the keys of all, which live on', async () => {
    const parameters = await makeSharedKeys(client);
    const made = await provisioned({ provisioner: sharedKeysDriver, releasePolicy: 'Delete', parameters });
    expectBound(made);
    expectDriven(sharedKeysDriver, made);
    const environment = await environmentFor(client, made.bucket);
    expect(environment).toMatchObject({ AWS_ACCESS_KEY_ID: 'shared', AWS_SECRET_ACCESS_KEY: 'for-all' });
    longshore.passTime(minutes);
    await giveBucketUp(client, made.bucket);
    expect(store.bucket(made.content.spec.bucketIdentifier ?? '')).toBeUndefined();
    await client.until(secretNamed('longshore-system', parameters.driverSecretName));
  });

  // That this driver finds nothing to take back is taken for a store that does not know of it yet.
  test('of a store without users can be deleted as soon as it is there', async () => {
    const parameters = await makeSharedKeys(client);
    const { bucket } = await provisioned({ provisioner: sharedKeysDriver, releasePolicy: 'Delete', parameters });
    await client.delete(bucket);
    try {
      // As long as the store is not believed that there is nothing.
      await client.untilGone(bucket, minutes / 2);
    } finally {
      longshore.passTime(minutes);
      await client.untilGone(bucket);
    }
  });
});

/** After so long a store is believed that there is nothing. */
const minutes = 3 * 60_000;

test('access to a bucket that exists is given as its class says, and taken back, and the bucket stays as it was', async () => {
  const existing = store.addBucket(`archive-${randomBytes(4).toString('hex')}`, {
    tags: [{ Key: 'team', Value: 'x' }],
  });
  store.put(existing.name, 'summer.jpg');
  const before = structuredClone(existing);
  const made = await provisioned({ provisioner: driver, bucketIdentifier: existing.name, accessMode: 'ro' });
  expectBound(made);
  expectDriven(driver, made);
  const expected = { flow: 'Brownfield', releasePolicy: 'Retain', accessModes: ['ro'] };
  expect(made.content.spec).toMatchObject({ ...expected, bucketIdentifier: existing.name });
  const policies = store.liveKeys.map((key) => key.policies.join());
  expect(policies).toEqual([expect.stringContaining('s3:GetObject')]);
  expect(policies).toEqual([expect.not.stringContaining('s3:PutObject')]);
  await giveBucketUp(client, made.bucket);
  expect([store.bucket(existing.name), store.users, store.liveKeys]).toEqual([before, [], []]);
});
