import { expect, test } from '@jest/globals';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { testClient } from './administrator.ts';
import {
  contentOf,
  giveBucketUp,
  sourceSecretOf,
  untilBucketBound,
  untilSaid,
  userSecretOf,
} from './case-bucket-waits.ts';
import { makeBucket, planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver, nowhereDriver } = longshore;

async function bound() {
  const made = await makeBucket(client, planBucket({ provisioner: driver, releasePolicy: 'Delete' }));
  const bucket = await untilBucketBound(client, made);
  const content = await contentOf(client, bucket);
  return { bucket, content, name: content.spec.bucketIdentifier ?? '' };
}

test('a bucket that another namespace uses is kept when the Bucket that it was made for goes, until it is used no more', async () => {
  const { bucket, content, name } = await bound();
  store.put(name, 'summer.jpg');
  const guest = await untilBucketBound(
    client,
    await makeBucket(client, planBucket({ provisioner: driver, bucketIdentifier: name })),
  );
  await client.delete(bucket);
  const { message } = await untilReason(client, content, 'SharedWithOthers');
  expect(message).toContain(
    `bucket ${name} is used by 1 Bucket of other namespaces: it is kept, with all its contents`,
  );
  expect(message).not.toContain(guest.metadata.namespace);
  expect((await untilSaid(client, bucket, 'Releasing')).message).toBeDefined();
  expect(store.bucket(name)?.versions).toHaveLength(1);
  // Its own access is taken back, and the guest's lives.
  expect(store.liveKeys.map(({ user }) => user)).toEqual([`cosi-${(guest.metadata.uid ?? '').replaceAll('-', '')}`]);
  const late = await makeBucket(client, planBucket({ provisioner: driver, bucketIdentifier: name }));
  await untilReason(client, await contentOf(client, late), 'BucketGoing');
  expect(store.users).toHaveLength(1);
  await giveBucketUp(client, late);
  await giveBucketUp(client, guest);
  await client.untilGone(bucket);
  expect([store.bucket(name), store.liveKeys]).toEqual([undefined, []]);
});

test('a class that says no region fails, and its Bucket can be deleted', async () => {
  const bucket = await makeBucket(client, planBucket({ provisioner: nowhereDriver, releasePolicy: 'Delete' }));
  const { message } = await untilSaid(client, bucket, 'ProvisioningFailed');
  expect(message).toContain('The parameter region is missing');
  await giveBucketUp(client, bucket);
});

test('a driver’s Secret that lacks its keys keeps no Bucket from being deleted that it has made nothing for', async () => {
  const plan = planBucket({ provisioner: driver, releasePolicy: 'Delete' });
  const driverSecretName = plan.bucketClass.metadata.name;
  await client.create(secretNamed('longshore-system', driverSecretName, { AWS_ACCESS_KEY_ID: 'half' }));
  const bucketClass = { ...plan.bucketClass, parameters: { driverSecretName } };
  const bucket = await makeBucket(client, { ...plan, bucketClass });
  await untilReason(client, await contentOf(client, bucket, 'Retrying'), 'AccessDenied');
  await giveBucketUp(client, bucket);
});

test('a key that is taken out of a driver’s Secret is told, and the copy keeps it', async () => {
  const { bucket, content } = await bound();
  const before = await userSecretOf(client, bucket);
  const source = await sourceSecretOf(client, content);
  await client.change(source, { data: { AWS_SECRET_ACCESS_KEY: null } });
  const said = ({ status }: Bucket) =>
    status?.conditions?.find(({ type, reason }) => type === 'SecretReady' && reason === 'SourceSecretIncomplete');
  const told = await client.until<Bucket>(bucket, (found) => said(found) !== undefined);
  expect(said(told)).toMatchObject({ type: 'SecretReady', status: 'False' });
  expect(said(told)?.message).toContain('lacks AWS_SECRET_ACCESS_KEY. The copied credentials stay');
  expect((await userSecretOf(client, bucket)).data).toEqual(before.data);
  await client.change(source, { data: { AWS_SECRET_ACCESS_KEY: source.data?.AWS_SECRET_ACCESS_KEY } });
  await client.until<Bucket>(
    bucket,
    ({ status }) => status?.conditions?.every((each) => each.status === 'True') === true,
  );
  await giveBucketUp(client, bucket);
});

test('a Secret that is deleted while the content is being deleted comes back until the Bucket goes', async () => {
  const { bucket, content } = await bound();
  await client.delete(content);
  await untilReason(client, content, 'InUse');
  const secret = await userSecretOf(client, bucket);
  await client.delete(secret);
  await userSecretOf(client, bucket, ({ metadata }: Secret) => metadata.uid !== secret.metadata.uid);
  await giveBucketUp(client, bucket);
});
