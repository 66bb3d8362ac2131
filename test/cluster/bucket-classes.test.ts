import { describe, expect, test } from '@jest/globals';
import type { BucketClass } from '../../lib/capabilities/buckets/objects.ts';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { testClient } from './administrator.ts';
import { contentFor, contentOf, giveBucketUp, untilBucketBound, untilSaid } from './case-bucket-waits.ts';
import { makeBucket, makeBucketFirst, planBucket, runBuckets, secretNamed } from './case-buckets.ts';
import { untilReason } from './case-waits.ts';

const client = testClient();
const longshore = runBuckets();
const { store, driver } = longshore;
const greenfield = { provisioner: driver, releasePolicy: 'Delete' } as const;

describe('a class', () => {
  test('that is missing is waited for without holding the Bucket, and works when it is created', async () => {
    const plan = planBucket(greenfield);
    const bucket = await makeBucketFirst(client, plan);
    const { message } = await untilSaid(client, bucket, 'ClassNotFound');
    expect(message).toContain(`there is no BucketClass ${plan.bucketClass.metadata.name} (yet)`);
    expect((await client.until(bucket)).metadata.finalizers).toBeUndefined();
    await client.create(plan.bucketClass);
    await untilBucketBound(client, bucket);
  });

  test('that is missing to the end lets the Bucket go', async () => {
    const bucket = await makeBucketFirst(client, planBucket(greenfield));
    await untilSaid(client, bucket, 'ClassNotFound');
    await giveBucketUp(client, bucket);
  });

  test('that is meant for other namespaces is refused, until its administrator changes that', async () => {
    const plan = planBucket(greenfield);
    const annotations = { 'longshore.dev/namespaces': 'data-*, photos' };
    const metadata = { ...plan.bucketClass.metadata, annotations };
    const bucket = await makeBucket(client, { ...plan, bucketClass: { ...plan.bucketClass, metadata } });
    const { message } = await untilSaid(client, bucket, 'ClassNotForNamespace');
    expect(message).toContain(
      `is not for namespace ${plan.namespace}: its annotation longshore.dev/namespaces lists the namespaces that can use it`,
    );
    expect((await client.until(bucket)).metadata.finalizers).toBeUndefined();
    await client.annotate(plan.bucketClass, { 'longshore.dev/namespaces': 'data-*, team-*' });
    await untilBucketBound(client, bucket);
  });

  test('that gives what is there to one namespace is not for a later one of that name, until it is confirmed', async () => {
    const plan = planBucket({});
    const { namespace, bucketClass, bucket } = plan;
    const vault = `${namespace}-vault`;
    for (const name of [namespace, vault]) await client.createNamespace(name);
    await client.create(secretNamed(vault, 'given', { TOKEN: 'given' }));
    const annotations = { 'longshore.dev/namespaces': namespace };
    const secretRef = { namespace: vault, name: 'given' };
    await client.create({
      ...bucketClass,
      metadata: { ...bucketClass.metadata, annotations },
      secretRef,
    } as BucketClass);
    await untilBucketBound(client, await client.create(bucket));
    const asNamespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await client.delete(asNamespace);
    await client.untilGone(asNamespace);
    await client.createNamespace(namespace);
    const later = await client.create(bucket);
    const { message } = await untilSaid(client, later, 'ClassNotForNamespace');
    const { metadata } = await client.until<ClusterObject>(asNamespace);
    expect(message).toContain(`can confirm it with the annotation longshore.dev/namespace-uids: ${metadata.uid}`);
    expect(await client.get(secretNamed(namespace, bucket.spec.secretName))).toBeUndefined();
    await client.annotate(bucketClass, { 'longshore.dev/namespace-uids': metadata.uid ?? '' });
    await untilBucketBound(client, later);
    await giveBucketUp(client, later);
  });

  test('that is deleted before the Bucket is not needed any more', async () => {
    const plan = planBucket(greenfield);
    const bucket = await untilBucketBound(client, await makeBucket(client, plan));
    const { bucketIdentifier = '' } = (await contentOf(client, bucket)).spec;
    await client.delete(plan.bucketClass);
    await client.untilGone(plan.bucketClass);
    await giveBucketUp(client, bucket);
    expect(store.bucket(bucketIdentifier)).toBeUndefined();
  });

  test.each<[string, Record<string, string>, string]>([
    ['it does not know', { colour: 'red' }, 'Unknown parameter "colour"'],
    ['with a value that it cannot have', { versioning: 'yes' }, 'The parameter versioning is "yes"'],
  ])('with a parameter %s is refused in words that its user and its administrator see', async (_, parameters, text) => {
    const bucket = await makeBucket(client, planBucket({ ...greenfield, parameters }));
    expect((await untilSaid(client, bucket, 'ProvisioningFailed')).message).toContain(text);
    const content = await contentOf(client, bucket, 'Failed');
    expect(content.status?.message).toContain(text);
    await untilReason(client, content, 'Invalid');
    await giveBucketUp(client, bucket);
  });

  test('whose driver nobody has says so, and the Bucket can be deleted', async () => {
    const bucket = await makeBucket(client, planBucket({ ...greenfield, provisioner: 'nobody.example.com' }));
    await contentOf(client, bucket);
    // Nobody writes anything about a driver that is not there, so it is the next list that finds it out.
    await longshore.resync();
    const { message } = await untilSaid(client, bucket, 'DriverNotRegistered');
    expect(message).toContain('no driver nobody.example.com is registered: check the class');
    await giveBucketUp(client, bucket);
  });

  test('that names a Secret for its driver works when the Secret is made', async () => {
    const plan = planBucket(greenfield);
    const driverSecretName = plan.bucketClass.metadata.name;
    const bucketClass = { ...plan.bucketClass, parameters: { driverSecretName } };
    const bucket = await makeBucket(client, { ...plan, bucketClass });
    const { message } = await untilSaid(client, bucket, 'Retrying');
    expect(message).toMatch(
      new RegExp(`^there is no Secret ${driverSecretName} in Longshore's namespace.*: create it$`),
    );
    await client.create(
      secretNamed('longshore-system', driverSecretName, {
        AWS_ACCESS_KEY_ID: 'admin',
        AWS_SECRET_ACCESS_KEY: 'secret',
      }),
    );
    await longshore.resync();
    await untilBucketBound(client, bucket);
  });
});

describe('the beginning of a name', () => {
  test.each([
    ['that the store keeps for itself', 'xn--photos', 'begins with xn--, which S3 reserves: choose another'],
    ['without a letter or digit', '___', 'has no letter or digit that a bucket'],
  ])('%s is refused before anything is made', async (_, bucketPrefix, text) => {
    const bucket = await makeBucket(client, planBucket(greenfield, { bucketPrefix }));
    expect((await untilSaid(client, bucket, 'Invalid')).message).toContain(text);
    expect(await client.get(contentFor(bucket))).toBeUndefined();
    await giveBucketUp(client, bucket);
  });

  test.each([
    ['Yosemite Photos_', /^yosemite-photos-[0-9a-f]{32}$/],
    ['-.Ä/photos-of-the-year-2026-', /^photos-of-the-year-2026-[0-9a-f]{32}$/],
    ['a'.repeat(31), /^a{31}[0-9a-f]{32}$/],
  ])('such as %j is made legal', async (bucketPrefix, name) => {
    const bucket = await untilBucketBound(client, await makeBucket(client, planBucket(greenfield, { bucketPrefix })));
    const { bucketIdentifier = '' } = (await contentOf(client, bucket)).spec;
    expect(bucketIdentifier).toMatch(name);
    expect(store.bucket(bucketIdentifier)).toBeDefined();
    await giveBucketUp(client, bucket);
  });
});

test('the longest names that objects can have are no hindrance', async () => {
  const longest = (letter: string) =>
    Array.from({ length: 4 }, () => letter.repeat(62))
      .join('.')
      .padEnd(253, letter);
  const plan = planBucket(greenfield, { bucketClassName: longest('c'), secretName: longest('s') });
  const bucketClass = { ...plan.bucketClass, metadata: { name: longest('c') } };
  const metadata = { ...plan.bucket.metadata, name: longest('b') };
  const bucket = await makeBucket(client, { ...plan, bucketClass, bucket: { ...plan.bucket, metadata } });
  await untilBucketBound(client, bucket);
  await giveBucketUp(client, bucket);
  await client.delete(bucketClass);
});
