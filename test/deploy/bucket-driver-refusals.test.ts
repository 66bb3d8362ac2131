import { CreateAccessKeyCommand, CreateUserCommand, PutUserPolicyCommand } from '@aws-sdk/client-iam';
import { CreateMultipartUploadCommand, HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from '@jest/globals';
import { driverPolicy } from './case-driver-policy.ts';
import { consumerOf, credentialsOf, granting, realStore } from './case-store.ts';

const store = realStore();
const { driver, s3, iam } = store;

afterAll(() => {
  s3.destroy();
  iam.destroy();
});

const put = (Bucket: string, Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));

test('what is somebody else’s, or not empty, or not there, is left as it is', async () => {
  const [consumer, other] = [consumerOf(store), consumerOf(store)];
  await driver.createBucket(consumer);
  await put(consumer.bucket, 'there');
  const { bucket } = consumer;
  expect(await driver.createBucket({ ...other, bucket })).toMatchObject({ result: 'taken' });
  expect(await driver.deleteBucket({ ...other, bucket })).toMatchObject({ result: 'foreign' });
  const parameters = { ...consumer.parameters, forceEmpty: 'false' };
  expect(await driver.deleteBucket({ ...consumer, parameters })).toMatchObject({ result: 'occupied' });
  const absent = granting(other, { flow: 'Brownfield' });
  expect(await driver.grantBucketAccess(absent)).toMatchObject({ result: 'missing' });
  const elsewhere = { ...consumer, parameters: { ...consumer.parameters, region: 'eu-west-1' } };
  expect(await driver.createBucket(elsewhere)).toMatchObject({ result: 'taken' });
  expect(await driver.grantBucketAccess(granting(elsewhere, { flow: 'Brownfield' }))).toMatchObject({
    result: 'taken',
  });
  expect(await driver.deleteBucket(elsewhere)).toMatchObject({ result: 'foreign' });
  await s3.send(new HeadBucketCommand({ Bucket: bucket }));
});

test('in the region where making a bucket again succeeds, another owner’s is taken all the same', async () => {
  const [consumer, other] = [consumerOf(store, { region: 'us-east-1' }), consumerOf(store, { region: 'us-east-1' })];
  for (let time = 0; time < 2; time++) expect(await driver.createBucket(consumer)).toEqual({ result: 'created' });
  expect(await driver.createBucket({ ...other, bucket: consumer.bucket })).toMatchObject({ result: 'taken' });
});

test('keys that are not allowed anything are told what they lack', async () => {
  const consumer = consumerOf(store);
  await driver.createBucket(consumer);
  const secrets = credentialsOf(await driver.grantBucketAccess(granting(consumer)));
  const weak = { ...consumerOf(store), secrets };
  expect(await driver.createBucket(weak)).toMatchObject({
    result: 'denied',
    message: expect.stringContaining('s3:CreateBucket'),
  });
  expect(await driver.grantBucketAccess(granting(weak))).toMatchObject({
    result: 'denied',
    message: expect.stringContaining('iam:CreateUser'),
  });
  expect(await driver.deleteBucket({ ...consumer, secrets })).toMatchObject({ result: 'denied' });
});

test("the driver's own permissions are enough for all that it does", async () => {
  const UserName = 'driver-alone';
  await iam.send(new CreateUserCommand({ UserName }));
  const PolicyDocument = JSON.stringify(driverPolicy('test'));
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'driver', PolicyDocument }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  const { AccessKeyId = '', SecretAccessKey = '' } = AccessKey ?? {};
  const secrets = { AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey };
  const all = { versioning: 'true', encryption: 'AES256', expireDays: '7' };
  const byKeys = { ...consumerOf(store, all), secrets };
  const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
  const byRole = { ...consumerOf(store, { ...all, credentials: 'role', oidcProvider, serviceAccount: '*' }), secrets };
  for (const consumer of [byKeys, byRole]) {
    for (let time = 0; time < 2; time++) {
      expect(await driver.createBucket(consumer)).toEqual({ result: 'created' });
      expect(await driver.grantBucketAccess(granting(consumer))).toMatchObject({ result: 'granted' });
    }
    await put(consumer.bucket, 'there');
    await s3.send(new CreateMultipartUploadCommand({ Bucket: consumer.bucket, Key: 'film' }));
    expect(await driver.revokeBucketAccess(consumer)).toEqual({ result: 'revoked', found: true });
    expect(await driver.deleteBucket(consumer)).toEqual({ result: 'deleted' });
  }
});

test('a store that does not answer is unavailable', async () => {
  const consumer = consumerOf(store, { endpoint: 'http://127.0.0.1:1' });
  expect(await driver.createBucket(consumer)).toMatchObject({ result: 'unavailable' });
});
