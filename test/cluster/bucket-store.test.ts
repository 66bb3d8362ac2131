import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { storeNameOf } from '../../lib/capabilities/buckets/names.ts';
import type { BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { FakeBucket } from '../support/fake-store-buckets.ts';
import { testClient } from './administrator.ts';
import {
  contentOf,
  environmentFor,
  giveBucketUp,
  untilBucketBound,
  untilSaid,
  untilTrue,
} from './case-bucket-waits.ts';
import { makeBucket, makeBucketFirst, planBucket, runBuckets } from './case-buckets.ts';
import { untilEvents, untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver } = longshore;
const greenfield = { provisioner: driver, releasePolicy: 'Delete' } as const;
const existing = (bucketIdentifier: string): Partial<BucketClass> => ({ provisioner: driver, bucketIdentifier });
const name = () => `archive-${randomBytes(4).toString('hex')}`;
const another = [{ Key: 'longshore.dev/owner', Value: 'somebody-else' }];

describe('a bucket of the very name that is wanted', () => {
  test.each<[string, Partial<FakeBucket>, string]>([
    ["with another's mark", { tags: another }, 'already exists, and does not belong to this owner'],
    ['in another region', { region: 'eu-west-1', tags: another }, 'belongs to someone else, or is in another region'],
  ])('%s is never taken for ours, neither when it is wanted nor when it is released', async (_, also, text) => {
    const plan = planBucket(greenfield);
    const bucket = await makeBucketFirst(client, plan);
    const others = store.addBucket(storeNameOf(bucket), also);
    store.put(others.name, 'theirs.jpg');
    const before = structuredClone(others);
    await client.create(plan.bucketClass);
    const { message } = await untilSaid(client, bucket, 'ProvisioningFailed');
    expect(message).toContain(text);
    await untilReason(client, await contentOf(client, bucket), 'NameTaken');
    await untilEvents(client, bucket, 'ProvisioningFailed');
    await giveBucketUp(client, bucket);
    expect([store.bucket(others.name), store.users]).toEqual([before, []]);
  });
});

test('a bucket of the very name that another account has is not taken for ours, and keeps nobody from deleting the Bucket', async () => {
  const plan = planBucket(greenfield);
  const bucket = await makeBucketFirst(client, plan);
  const theirs = store.addBucket(storeNameOf(bucket), { isAnotherAccounts: true });
  await client.create(plan.bucketClass);
  const { message } = await untilSaid(client, bucket, 'ProvisioningFailed');
  expect(message).toContain('already exists, and does not belong to this owner');
  const before = structuredClone(theirs);
  await giveBucketUp(client, bucket);
  expect(store.bucket(theirs.name)).toEqual(before);
});

describe('a bucket that is to exist', () => {
  test('and does not is missed, and found when it is there later', async () => {
    const missing = name();
    const bucket = await makeBucket(client, planBucket(existing(missing)));
    expect((await untilSaid(client, bucket, 'ProvisioningFailed')).message).toContain('found no such bucket');
    store.addBucket(missing);
    longshore.passTime(11 * 60_000);
    await longshore.resync();
    await untilBucketBound(client, bucket);
    await giveBucketUp(client, bucket);
  });

  test('in another region is not served', async () => {
    const elsewhere = store.addBucket(name(), { region: 'eu-west-1' });
    const bucket = await makeBucket(client, planBucket(existing(elsewhere.name)));
    await untilSaid(client, bucket, 'ProvisioningFailed');
    await untilReason(client, await contentOf(client, bucket), 'NameTaken');
    await giveBucketUp(client, bucket);
    expect([store.bucket(elsewhere.name), store.users]).toEqual([elsewhere, []]);
  });

  test('in another account is served as soon as we are let in', async () => {
    const theirs = store.addBucket(name(), { isAnotherAccounts: true });
    const bucket = await makeBucket(client, planBucket(existing(theirs.name)));
    const { message } = await untilSaid(client, bucket, 'Retrying');
    expect(message).toContain('is not allowed for the identity that this driver uses');
    await untilReason(client, await contentOf(client, bucket, 'Retrying'), 'AccessDenied');
    theirs.isAnotherAccounts = false;
    await untilBucketBound(client, bucket);
    await giveBucketUp(client, bucket);
  });

  test('serves two Buckets with users and keys of their own, and one going leaves the other its access', async () => {
    const shared = store.addBucket(name());
    const [one, other] = await Promise.all(
      [1, 2].map(async () => untilBucketBound(client, await makeBucket(client, planBucket(existing(shared.name))))) as [
        ReturnType<typeof untilBucketBound>,
        ReturnType<typeof untilBucketBound>,
      ],
    );
    const idOf = async (bucket: typeof one) => (await environmentFor(client, bucket)).AWS_ACCESS_KEY_ID;
    const ids = [await idOf(one), await idOf(other)];
    expect(new Set(ids).size).toBe(2);
    expect(store.liveKeys.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(store.users).toHaveLength(2);
    await giveBucketUp(client, one);
    expect(store.liveKeys.map(({ id }) => id)).toEqual([ids[1]]);
    expect(store.liveKeys[0]?.policies).toEqual([expect.stringContaining(shared.name)]);
    await giveBucketUp(client, other);
    expect([store.users, store.bucket(shared.name)]).toEqual([[], shared]);
  });
});

test('what has failed can be deleted at once, also within the same second', async () => {
  const plan = planBucket(existing(name()));
  const bucket = await makeBucketFirst(client, plan);
  // Times on the wire have no fractions of seconds.
  await untilTrue(() => Date.now() % 1_000 < 100);
  await client.create(plan.bucketClass);
  await contentOf(client, bucket, 'Failed');
  await giveBucketUp(client, bucket);
});
