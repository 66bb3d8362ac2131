import { describe, expect, test } from '@jest/globals';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import { testClient } from './administrator.ts';
import {
  contentOf,
  giveBucketUp,
  sourceSecretOf,
  untilBucketBound,
  untilSaid,
  userSecretOf,
} from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets } from './case-buckets.ts';
import { untilEvents, untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver } = longshore;

async function bound() {
  const plan = planBucket({ provisioner: driver, releasePolicy: 'Delete' });
  const bucket = await untilBucketBound(client, await makeBucket(client, plan));
  const content = await contentOf(client, bucket);
  return { plan, bucket, content, name: content.spec.bucketIdentifier ?? '' };
}

describe('a content', () => {
  test('that is deleted while its Bucket lives waits for the Bucket to go, and both say so', async () => {
    const { bucket, content, name } = await bound();
    await client.delete(content);
    const { message } = await untilReason(client, content, 'InUse');
    expect(message).toContain(`in use by Bucket ${bucket.metadata.namespace}/photos`);
    await untilSaid(client, bucket, 'ContentDeleted');
    await userSecretOf(client, bucket);
    expect([store.bucket(name)?.name, store.liveKeys.length]).toEqual([name, 1]);
    await giveBucketUp(client, bucket);
    expect([store.bucket(name), store.liveKeys]).toEqual([undefined, []]);
  });

  test('keeps its Bucket held: a finalizer that is taken off comes back', async () => {
    const { bucket, name } = await bound();
    await client.change(bucket, { metadata: { finalizers: null } });
    await client.until<Bucket>(bucket, ({ metadata }) => metadata.finalizers?.includes('cosi.io/finalizer') === true);
    await giveBucketUp(client, bucket);
    expect(store.bucket(name)).toBeUndefined();
  });

  test('whose Bucket was taken away by force keeps the data until somebody deletes it', async () => {
    const { bucket, content, name } = await bound();
    store.put(name, 'summer.jpg');
    const source = await sourceSecretOf(client, content);
    await longshore.away(() => takeAway(bucket));
    const { message } = await untilReason(client, content, 'BucketLost');
    expect(message).toContain('its contents stay as long as this BucketContent does');
    await untilEvents(client, content, 'BucketLost');
    await longshore.resync();
    expect((await contentOf(client, bucket)).metadata.deletionTimestamp).toBeUndefined();
    expect(store.bucket(name)?.versions).toHaveLength(1);
    await client.delete(content);
    await client.untilGone(content);
    await client.untilGone(source);
    expect([store.bucket(name), store.liveKeys]).toEqual([undefined, []]);
  });

  test('whose Bucket was taken away by force is not the content of the next Bucket of that name', async () => {
    const { bucket, content, name, plan } = await bound();
    await longshore.away(async () => {
      await takeAway(bucket);
      await client.create(plan.bucket);
    });
    const next = await untilBucketBound(client, plan.bucket);
    expect(next.status?.bucketContentName).not.toBe(content.metadata.name);
    await untilReason(client, content, 'BucketLost');
    await giveBucketUp(client, await client.until<Bucket>(plan.bucket));
    await client.delete(content);
    await client.untilGone(content);
    expect(store.bucket(name)).toBeUndefined();
  });
});

/** Without its finalizer there is nothing that would wait for Longshore. */
async function takeAway(bucket: Bucket): Promise<void> {
  await client.change(bucket, { metadata: { finalizers: null } });
  await client.delete(bucket);
  await client.untilGone(bucket);
}
