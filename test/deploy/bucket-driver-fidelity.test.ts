import { CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from '@jest/globals';
import type { Driver } from '../../lib/capabilities/buckets/drivers/driver.ts';
import { createS3Driver } from '../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../support/fake-store.ts';
import { type Consumer, consumerOf, granting, realStore } from './case-store.ts';

const real = realStore();
const fake = new FakeStore();

afterAll(() => {
  real.s3.destroy();
  real.iam.destroy();
});

interface Played {
  driver: Driver;
  put(bucket: string, key: string): Promise<unknown>;
  startUpload(bucket: string, key: string): Promise<unknown>;
}

/** One consumer after another asks for all there is, in order and out of order. */
async function play({ driver, put, startUpload }: Played, consumer: Consumer, other: Consumer): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  const note = <Outcome>(outcome: Outcome): Outcome => {
    outcomes.push(outcome);
    return outcome;
  };
  const careful = { ...consumer.parameters, forceEmpty: 'false' };
  const elsewhere = { ...consumer.parameters, region: 'eu-west-1' };
  const { bucket } = consumer;
  note(await driver.grantBucketAccess(granting(consumer, { flow: 'Brownfield' })));
  note(await driver.deleteBucket(consumer));
  note(await driver.revokeBucketAccess(consumer));
  note(await driver.createBucket({ ...consumer, bucket: 'Not.A..Name' }));
  note(await driver.createBucket(consumer));
  note(await driver.createBucket(consumer));
  note(await driver.createBucket({ ...other, bucket }));
  note(await driver.createBucket({ ...consumer, cluster: 'copy' }));
  note(await driver.createBucket({ ...consumer, parameters: elsewhere }));
  note(await driver.grantBucketAccess(granting({ ...consumer, parameters: elsewhere }, { flow: 'Brownfield' })));
  const first = note(await driver.grantBucketAccess(granting(consumer)));
  const held = (first.result === 'granted' && first.credentials) || {};
  note(await driver.grantBucketAccess(granting(consumer, { held, mode: 'ro' })));
  note(await driver.grantBucketAccess(granting(consumer)));
  note(await driver.grantBucketAccess(granting(consumer, { held })));
  note(await driver.grantBucketAccess(granting(consumer, { held, cluster: 'copy' })));
  note(await driver.revokeBucketAccess({ ...consumer, cluster: 'copy' }));
  const boundary = { ...other.parameters, permissionsBoundary: 'arn:aws:iam::111122223333:policy/nowhere' };
  note(await driver.grantBucketAccess(granting({ ...other, parameters: boundary })));
  const role = {
    ...other.parameters,
    credentials: 'role',
    oidcProvider: 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A',
    serviceAccount: 'default',
  };
  note(await driver.grantBucketAccess(granting({ ...other, bucket, parameters: role }, { flow: 'Brownfield' })));
  note(await driver.revokeBucketAccess({ ...other, bucket, parameters: role }));
  for (const key of ['key', 'a+b c', '100%', ' spaces ', '<&>"', 'folder/ümlaut']) await put(bucket, key);
  await startUpload(bucket, 'film');
  note(await driver.deleteBucket({ ...other, bucket }));
  note(await driver.deleteBucket({ ...consumer, cluster: 'copy' }));
  note(await driver.deleteBucket({ ...consumer, parameters: elsewhere }));
  note(await driver.deleteBucket({ ...consumer, parameters: careful }));
  note(await driver.revokeBucketAccess(consumer));
  note(await driver.deleteBucket(consumer));
  note(await driver.deleteBucket(consumer));
  return outcomes;
}

/** Keys are different each time, and sentences quote what the store says: neither has to be the same. */
function comparable(outcomes: unknown[]): string[] {
  const known: string[] = [];
  const replacer = (name: string, value: unknown): unknown => {
    if (name === 'message') return '…';
    if (name !== 'AWS_ACCESS_KEY_ID' && name !== 'AWS_SECRET_ACCESS_KEY') return value;
    if (!known.includes(String(value))) known.push(String(value));
    return `${name} ${known.indexOf(String(value))}`;
  };
  return outcomes.map((outcome) => JSON.stringify(outcome, replacer));
}

test('the fake store answers as the real one does', async () => {
  const [consumer, other] = [consumerOf(real), consumerOf(real)];
  const onReal = await play(
    {
      driver: real.driver,
      put: (Bucket, Key) => real.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' })),
      startUpload: (Bucket, Key) => real.s3.send(new CreateMultipartUploadCommand({ Bucket, Key })),
    },
    consumer,
    other,
  );
  const onFake = await play(
    {
      driver: createS3Driver('s3.example.com', fake.connect, { identity: 'test' }),
      put: async (bucket, key) => fake.put(bucket, key),
      startUpload: async (bucket, key) => fake.startUpload(bucket, key),
    },
    consumer,
    other,
  );
  expect(comparable(onFake)).toEqual(comparable(onReal));
  expect(onReal).toMatchObject([
    { result: 'missing' },
    { result: 'deleted' },
    { result: 'revoked' },
    { result: 'invalid' },
    { result: 'created' },
    { result: 'created' },
    ...Array.from({ length: 4 }, () => ({ result: 'taken' })),
    ...Array.from({ length: 4 }, () => ({ result: 'granted' })),
    { result: 'taken' },
    { result: 'taken' },
    { result: 'denied' },
    { result: 'granted' },
    { result: 'revoked' },
    { result: 'foreign' },
    { result: 'taken' },
    { result: 'foreign' },
    { result: 'occupied' },
    { result: 'revoked' },
    { result: 'deleted' },
    { result: 'deleted' },
  ]);
  expect([fake.buckets, fake.users, fake.roles]).toEqual([[], [], []]);
});
