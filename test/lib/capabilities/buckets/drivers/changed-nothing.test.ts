import { expect, test } from '@jest/globals';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { FakeStoreError } from '../../../../support/fake-store-error.ts';
import { creating, granting, region } from './requests.ts';

const endpoint = 'https://objects.example.com';
const secrets = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
const hasChangedNothing = { hasChangedNothing: true };

function driverOf(store: FakeStore, options: { region?: string } = { region }) {
  return createS3Driver('s3.example.com', store.connect, { identity: 'main', ...options });
}

/** Each request to this store ends so. */
function failing(error: () => Error, after = false): FakeStore {
  return new FakeStore({
    around: (_, perform) => {
      if (after) perform();
      throw error();
    },
  });
}

const unreachable = () =>
  Object.assign(new Error('ECONNREFUSED'), { code: 'ECONNREFUSED', $metadata: { attempts: 2 } });
const wrongKeys = () => new FakeStoreError(403, 'InvalidAccessKeyId');
const silent = () => Object.assign(new Error('no answer'), { name: 'TimeoutError', $metadata: { attempts: 1 } });
const twice = () => Object.assign(wrongKeys(), { $metadata: { httpStatusCode: 403, attempts: 2 } });

test('a class without a region is refused before anything is made', async () => {
  const request = creating({ parameters: {} });
  const failure = await driverOf(new FakeStore(), {}).createBucket(request);
  expect(failure).toMatchObject({ result: 'invalid', ...hasChangedNothing });
});

test('a Secret without keys is refused before anything is made', async () => {
  const request = creating({ parameters: { region, driverSecretName: 'keys' }, secrets: {} });
  const failure = await driverOf(new FakeStore()).createBucket(request);
  expect(failure).toMatchObject({ result: 'denied', ...hasChangedNothing });
});

test.each([
  ['an address that nobody listens on', unreachable, 'unavailable'],
  ['keys that are wrong', wrongKeys, 'denied'],
] as const)('by %s nothing can have been made', async (_, error, result) => {
  const parameters = { region, endpoint, driverSecretName: 'keys' };
  const store = failing(error);
  const driver = driverOf(store);
  expect(await driver.createBucket(creating({ parameters, secrets }))).toMatchObject({ result, ...hasChangedNothing });
  const granted = await driver.grantBucketAccess(granting({ parameters, secrets, flow: 'Brownfield' }));
  expect(granted).toMatchObject({ result, ...hasChangedNothing });
});

test.each([
  ['no answer', silent],
  ['a refusal of the second attempt', twice],
])('%s does not say that nothing was made', async (_, error) => {
  const store = failing(error, true);
  const failure = await driverOf(store).createBucket(creating());
  expect(failure).not.toHaveProperty('hasChangedNothing');
  expect(store.buckets).toHaveLength(1);
});

test('what fails after the bucket was made does not say that nothing was made', async () => {
  const store = new FakeStore({
    around: (command, perform) => {
      if (command === 'PutPublicAccessBlock') throw wrongKeys();
      return perform();
    },
  });
  expect(await driverOf(store).createBucket(creating())).toEqual({ result: 'denied', message: expect.any(String) });
  expect(store.buckets).toHaveLength(1);
});

test.each([
  [{ region, driverSecretName: 'keys' }, 'denied'],
  [{ region }, 'unavailable'],
])(
  'by keys that have run out, of %j, it is %s: a Secret is mended by whoever made it, and a role by itself',
  async (parameters, result) => {
    const store = failing(() => new FakeStoreError(400, 'ExpiredToken'));
    expect(await driverOf(store).createBucket(creating({ parameters, secrets }))).toMatchObject({ result });
  },
);
