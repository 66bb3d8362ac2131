import { afterEach, describe, expect, test } from '@jest/globals';
import { FakeStoreError } from '../support/fake-store-error.ts';
import { testClient } from './administrator.ts';
import { contentOf, environmentFor, giveBucketUp, untilBucketBound, untilSaid } from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets } from './case-buckets.ts';
import { untilReason } from './case-waits.ts';

const client = testClient();
const { store, driver } = runBuckets();
const greenfield = { provisioner: driver, releasePolicy: 'Delete' } as const;
const undisturbed = store.around;
afterEach(() => {
  store.around = undisturbed;
});

describe('a store', () => {
  test('that is away for a while is called again until it is back, and the Bucket says what it waits for', async () => {
    store.around = () => {
      throw new FakeStoreError(503, 'SlowDown', 'Please reduce your request rate.');
    };
    const bucket = await makeBucket(client, planBucket(greenfield));
    expect((await untilSaid(client, bucket, 'Retrying')).message).toContain('SlowDown');
    await untilReason(client, await contentOf(client, bucket, 'Retrying'), 'StoreUnavailable');
    store.around = undisturbed;
    const { status } = await untilBucketBound(client, bucket);
    expect(status?.conditions?.find(({ type }) => type === 'Bound')?.reason).toBe('Bound');
    store.around = () => {
      throw new FakeStoreError(503, 'SlowDown');
    };
    await client.delete(bucket);
    expect((await untilSaid(client, bucket, 'Releasing')).message).toBeDefined();
    await untilReason(client, await contentOf(client, bucket), 'StoreUnavailable');
    store.around = undisturbed;
    await giveBucketUp(client, bucket);
    expect(store.users).toEqual([]);
  });

  test('whose answer with a key is lost keeps no key that nobody knows', async () => {
    let isLost = false;
    store.around = (command, perform) => {
      const answer = perform();
      if (command !== 'CreateAccessKey' || isLost) return answer;
      isLost = true;
      throw new FakeStoreError(500, 'InternalError');
    };
    const bucket = await untilBucketBound(client, await makeBucket(client, planBucket(greenfield)));
    const { AWS_ACCESS_KEY_ID: id } = await environmentFor(client, bucket);
    expect([isLost, store.liveKeys.map((key) => key.id)]).toEqual([true, [id]]);
    await giveBucketUp(client, bucket);
  });
});
