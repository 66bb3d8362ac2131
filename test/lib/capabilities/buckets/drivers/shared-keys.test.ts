import { expect, test } from '@jest/globals';
import { createSharedKeysDriver } from '../../../../../lib/capabilities/buckets/drivers/shared-keys/shared-keys-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { bucket, creating, deleting, granting, revoking } from './requests.ts';

const endpoint = 'https://objects.example.com';
const parameters = { endpoint, region: 'eu-central-1', driverSecretName: 'store' };
const secrets = {
  AWS_ACCESS_KEY_ID: 'admin',
  AWS_SECRET_ACCESS_KEY: 'admin-secret',
  CONSUMER_ACCESS_KEY_ID: 'consumer',
  CONSUMER_SECRET_ACCESS_KEY: 'consumer-secret',
};
const about = { parameters, secrets };

function set() {
  const store = new FakeStore();
  return { store, driver: createSharedKeysDriver('shared.example.com', store.connect) };
}

test('every consumer gets the keys that the administrator made', async () => {
  const { store, driver } = set();
  expect(await driver.createBucket(creating(about))).toEqual({ result: 'created' });
  const outcome = await driver.grantBucketAccess(granting(about));
  const credentials = {
    AWS_ACCESS_KEY_ID: 'consumer',
    AWS_SECRET_ACCESS_KEY: 'consumer-secret',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
  };
  const location = { protocol: 's3', bucket, region: 'eu-central-1', endpoint };
  expect(outcome).toEqual({ result: 'granted', location, credentials });
  expect(await driver.grantBucketAccess(granting({ ...about, held: credentials }))).toMatchObject({
    credentials: undefined,
  });
  expect(await driver.revokeBucketAccess(revoking(about))).toEqual({ result: 'revoked', found: true });
  expect(store.users).toEqual([]);
});

test.each(['ro', 'wo'] as const)('mode %s cannot be enforced', async (mode) => {
  const { driver } = set();
  expect(await driver.grantBucketAccess(granting({ ...about, mode }))).toMatchObject({ result: 'invalid' });
});

test('a Secret without the consumers’ keys is named', async () => {
  const { driver } = set();
  const { CONSUMER_ACCESS_KEY_ID: _, ...others } = secrets;
  expect(await driver.grantBucketAccess(granting({ parameters, secrets: others }))).toMatchObject({
    result: 'denied',
    message: expect.stringContaining('CONSUMER_ACCESS_KEY_ID'),
  });
});

test('a bucket that is given access to must be there', async () => {
  const { driver } = set();
  const request = granting({ ...about, flow: 'Brownfield' });
  expect(await driver.grantBucketAccess(request)).toMatchObject({ result: 'missing' });
});

test('a bucket goes with all that is in it', async () => {
  const { store, driver } = set();
  await driver.createBucket(creating(about));
  store.put(bucket, 'key');
  expect(await driver.deleteBucket(deleting(about))).toEqual({ result: 'deleted' });
  expect(store.buckets).toEqual([]);
});

test('it knows no users, roles or keys of KMS', () => {
  const { driver } = set();
  expect(driver.check(parameters, 'Greenfield')).toEqual([]);
  const problems = driver.check({ endpoint, credentials: 'user', encryption: 'AES256' }, 'Greenfield');
  expect(problems).toEqual([
    expect.stringContaining('"credentials"'),
    expect.stringContaining('"encryption"'),
    expect.stringContaining('driverSecretName is missing'),
  ]);
});
