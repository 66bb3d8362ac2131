import {
  CreatePolicyCommand,
  GetUserCommand,
  ListAccessKeysCommand,
  ListUserPoliciesCommand,
} from '@aws-sdk/client-iam';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, expect, test } from '@jest/globals';
import type { AccessMode } from '../../lib/capabilities/buckets/drivers/driver.ts';
import { type Attempt, clientWith, consumerOf, credentialsOf, granting, permitted, realStore } from './case-store.ts';

const store = realStore();
const { driver, s3, iam } = store;

afterAll(() => {
  s3.destroy();
  iam.destroy();
});

const put = (Bucket: string, Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));

function userOf({ owner }: { owner: string }) {
  return { UserName: `cosi-${owner.replaceAll('-', '')}` };
}

test('a bucket is made as the class says, more than once', async () => {
  const consumer = consumerOf(store, { versioning: 'true', encryption: 'AES256', expireDays: '30', tags: 'team=a' });
  for (let time = 0; time < 2; time++) expect(await driver.createBucket(consumer)).toEqual({ result: 'created' });
  const Bucket = consumer.bucket;
  const [tags, versioning, encryption, lifecycle, access] = await Promise.all([
    s3.send(new GetBucketTaggingCommand({ Bucket })),
    s3.send(new GetBucketVersioningCommand({ Bucket })),
    s3.send(new GetBucketEncryptionCommand({ Bucket })),
    s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket })),
    s3.send(new GetPublicAccessBlockCommand({ Bucket })),
  ]);
  expect(tags.TagSet).toContainEqual({ Key: 'longshore.dev/owner', Value: consumer.owner });
  expect(tags.TagSet).toContainEqual({ Key: 'team', Value: 'a' });
  expect(versioning.Status).toBe('Enabled');
  const [rule] = encryption.ServerSideEncryptionConfiguration?.Rules ?? [];
  expect(rule?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm).toBe('AES256');
  expect(lifecycle.Rules).toMatchObject([
    { Expiration: { Days: 30 }, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 30 } },
  ]);
  expect(access.PublicAccessBlockConfiguration).toMatchObject({ BlockPublicPolicy: true, RestrictPublicBuckets: true });
});

test.each<[AccessMode, Attempt[]]>([
  ['ro', ['get', 'list']],
  ['wo', ['put']],
  ['rw', ['put', 'get', 'list', 'delete']],
])('keys of mode %s do in their bucket what the mode says, and in no other', async (mode, expected) => {
  const [consumer, other] = [consumerOf(store), consumerOf(store)];
  for (const each of [consumer, other]) {
    await driver.createBucket(each);
    await put(each.bucket, 'there');
  }
  const credentials = credentialsOf(await driver.grantBucketAccess(granting(consumer, { mode })));
  expect(await permitted(credentials, consumer.bucket)).toEqual(expected);
  expect(await permitted(credentials, other.bucket)).toEqual([]);
  const client = clientWith(credentials);
  await expect(client.send(new ListBucketsCommand())).rejects.toMatchObject({ name: 'AccessDenied' });
  client.destroy();
});

test('a key lives as long as it is held, and leaves with all that was made for it', async () => {
  const consumer = consumerOf(store);
  await driver.createBucket(consumer);
  await put(consumer.bucket, 'there');
  const first = credentialsOf(await driver.grantBucketAccess(granting(consumer)));
  const again = await driver.grantBucketAccess(granting(consumer, { held: first }));
  expect(again).toMatchObject({ result: 'granted', credentials: undefined });
  expect(await permitted(first, consumer.bucket)).toContain('get');

  const second = credentialsOf(await driver.grantBucketAccess(granting(consumer)));
  expect(await permitted(first, consumer.bucket)).toEqual([]);
  expect(await permitted(second, consumer.bucket)).toContain('get');

  const user = userOf(consumer);
  for (const found of [true, false]) {
    expect(await driver.revokeBucketAccess(consumer)).toEqual({ result: 'revoked', found });
    expect(await permitted(second, consumer.bucket)).toEqual([]);
    await expect(iam.send(new GetUserCommand(user))).rejects.toMatchObject({ Code: 'NoSuchEntity' });
  }
  expect((await iam.send(new ListAccessKeysCommand(user))).AccessKeyMetadata).toEqual([]);
  // Whoever gets the name again would have the policies too, if they had stayed.
  await driver.grantBucketAccess(granting(consumer, { mode: 'ro' }));
  expect((await iam.send(new ListUserPoliciesCommand(user))).PolicyNames).toHaveLength(1);
});

test('another mode takes from a key what it had', async () => {
  const consumer = consumerOf(store);
  await driver.createBucket(consumer);
  await put(consumer.bucket, 'there');
  const held = credentialsOf(await driver.grantBucketAccess(granting(consumer)));
  await driver.grantBucketAccess(granting(consumer, { held, mode: 'ro' }));
  expect(await permitted(held, consumer.bucket)).toEqual(['get', 'list']);
});

test('a permissions boundary holds a key back from what its policy allows', async () => {
  const document = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [document] });
  const { Policy } = await iam.send(new CreatePolicyCommand({ PolicyName: 'read-only', PolicyDocument }));
  const consumer = consumerOf(store, { permissionsBoundary: Policy?.Arn ?? '' });
  await driver.createBucket(consumer);
  await put(consumer.bucket, 'there');
  const credentials = credentialsOf(await driver.grantBucketAccess(granting(consumer)));
  expect(await permitted(credentials, consumer.bucket)).toEqual(['get']);
  const nowhere = { permissionsBoundary: 'arn:aws:iam::111122223333:policy/nowhere' };
  expect(await driver.grantBucketAccess(granting(consumerOf(store, nowhere)))).toMatchObject({ result: 'denied' });
});

test('a bucket with thousands of versions, markers and uploads is deleted', async () => {
  const consumer = consumerOf(store, { versioning: 'true' });
  await driver.createBucket(consumer);
  const Bucket = consumer.bucket;
  for (let first = 0; first < 1_200; first += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => put(Bucket, `key-${(first + index) % 700}`)));
  }
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'key-0' }));
  await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'film' }));
  expect(await driver.deleteBucket(consumer)).toEqual({ result: 'deleted' });
  await expect(s3.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' });
  expect(await driver.deleteBucket(consumer)).toEqual({ result: 'deleted' });
});

test('access is given to a bucket that exists', async () => {
  const consumer = { ...consumerOf(store), bucket: `existing-${Date.now()}` };
  const configuration = { LocationConstraint: 'eu-central-1' as const };
  await s3.send(new CreateBucketCommand({ Bucket: consumer.bucket, CreateBucketConfiguration: configuration }));
  await put(consumer.bucket, 'there');
  const outcome = await driver.grantBucketAccess(granting(consumer, { flow: 'Brownfield', mode: 'ro' }));
  expect(await permitted(credentialsOf(outcome), consumer.bucket)).toEqual(['get', 'list']);
});
