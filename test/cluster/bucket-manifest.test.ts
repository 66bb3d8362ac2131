import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { until } from '../support/patience.ts';
import { testClient } from './administrator.ts';
import { environmentFor, giveBucketUp, untilBucketBound } from './case-bucket-waits.ts';
import { planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilCounted } from './case-quota.ts';

const client = testClient();
const { store, driver } = runBuckets();
const planned = () => planBucket({ provisioner: driver, releasePolicy: 'Delete' });

/** A workload that has the address of its bucket, and the credentials for it, in its environment. */
function deploymentIn(namespace: string, secretName: string): ClusterObject {
  const labels = { app: 'album' };
  const envFrom = [{ secretRef: { name: secretName } }];
  const containers = [{ name: 'album', image: 'album', envFrom }];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { selector: { matchLabels: labels }, template };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'album' }, spec };
  return deployment;
}

test.each([
  ['the class, the workload, the Bucket', [0, 1, 2]],
  ['the workload, the Bucket, the class', [1, 2, 0]],
  ['the Bucket, the class, the workload', [2, 0, 1]],
  ['the Bucket, the workload, the class', [2, 1, 0]],
])('one manifest has all that a workload needs, in whatever order: %s', async (_, order) => {
  const { namespace, bucketClass, bucket } = planned();
  await client.createNamespace(namespace);
  const deployment = deploymentIn(namespace, bucket.spec.secretName);
  const manifest: ClusterObject[] = [bucketClass, deployment, bucket];
  const applied = order.flatMap((index) => manifest[index] ?? []);
  for (const object of applied) await client.create(object);
  const bound = await untilBucketBound(client, bucket);
  const environment = await environmentFor(client, bound);
  expect(Object.keys(environment)).toEqual(
    expect.arrayContaining(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'BUCKET_NAME', 'BucketInfo']),
  );
  // The keys of a Secret that are no names of variables would be left out of the environment without a word.
  expect(Object.keys(environment).filter((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))).toEqual([]);
  for (const object of applied) await client.delete(object);
  await client.untilGone(bound);
  await client.untilGone(secretNamed(namespace, bucket.spec.secretName));
  expect(store.users).toEqual([]);
});

test('a quota of Buckets keeps the second one out, and lets it in when the first is gone', async () => {
  const { namespace, bucketClass, bucket } = planned();
  await client.createNamespace(namespace);
  await client.create(bucketClass);
  await limitBuckets(namespace);
  const first = await untilBucketBound(client, await client.create(bucket));
  const wanted = { ...bucket, metadata: { namespace, name: `next-${randomBytes(2).toString('hex')}` } };
  await expect(client.create(wanted)).rejects.toThrow('exceeded quota: few, requested: count/buckets.cosi.io=1');
  await giveBucketUp(client, first);
  const next = await untilBucketBound(client, await untilMade(wanted));
  await giveBucketUp(client, next);
});

/** The controller counts what is gone a moment later. */
async function untilMade<T extends ClusterObject>(object: T): Promise<T> {
  let made: T | undefined;
  await until('the quota lets it be made', async () => {
    made = await client.create(object).catch((error) => {
      if (!String(error).includes('exceeded quota')) throw error;
      return undefined;
    });
    return made !== undefined;
  });
  return made as T;
}

async function limitBuckets(namespace: string): Promise<void> {
  const [hard, metadata] = [{ 'count/buckets.cosi.io': '1' }, { namespace, name: 'few' }];
  await untilCounted(client, { ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata }, ...{ spec: { hard } } });
}
