import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ClusterClient } from '../support/cluster-client.ts';
import { contentFor, giveBucketUp, untilBucketBound, untilSaid } from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets } from './case-buckets.ts';
import { ownControlPlane } from './case-control-plane.ts';

const controlPlane = ownControlPlane();
const longshore = runBuckets({ kubeconfig: controlPlane.kubeconfig });
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'longshore-system', name: 'longshore' },
};
const planned = () => planBucket({ provisioner: longshore.driver, releasePolicy: 'Delete' });
let client: ClusterClient;
beforeAll(() => {
  client = controlPlane.client();
});
afterEach(() => client.delete(settings));

test('Buckets do not begin while they are off, and do when they are on again', async () => {
  await client.create({ ...settings, data: { buckets: 'off' } } as typeof settings);
  const bucket = await makeBucket(client, planned());
  const { message } = await untilSaid(client, bucket, 'BucketsOff');
  expect(message).toBe(
    'buckets is off in ConfigMap longshore-system/longshore: an administrator of the cluster can turn it on',
  );
  expect((await client.until(bucket)).metadata.finalizers).toBeUndefined();
  expect([await client.get(contentFor(bucket)), longshore.store.commands]).toEqual([undefined, []]);
  await client.delete(settings);
  await longshore.resync();
  await giveBucketUp(client, await untilBucketBound(client, bucket));
});

test('Buckets do not begin while nobody can tell whether they are on', async () => {
  await client.create({ ...settings, data: { buckets: 'no' } } as typeof settings);
  const bucket = await makeBucket(client, planned());
  const { message } = await untilSaid(client, bucket, 'BucketsOff');
  expect(message).toContain('buckets is "no" in ConfigMap longshore-system/longshore, but must be on or off');
  await giveBucketUp(client, bucket);
});

test('Buckets that are bound can be used and released while new ones are off', async () => {
  const bucket = await untilBucketBound(client, await makeBucket(client, planned()));
  await client.create({ ...settings, data: { buckets: 'off' } } as typeof settings);
  await longshore.resync();
  await untilSaid(client, await makeBucket(client, planned()), 'BucketsOff');
  await untilBucketBound(client, bucket);
  await giveBucketUp(client, bucket);
  expect([longshore.store.buckets, longshore.store.users]).toEqual([[], []]);
});

test('Buckets go on while only transfers are off', async () => {
  await client.create({ ...settings, data: { 'transfers-by-request': 'off' } } as typeof settings);
  await giveBucketUp(client, await untilBucketBound(client, await makeBucket(client, planned())));
});
