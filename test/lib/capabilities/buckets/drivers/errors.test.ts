import { describe, expect, test } from '@jest/globals';
import { classify, StoreError } from '../../../../../lib/capabilities/buckets/drivers/s3/errors.ts';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { FakeStoreError, iamError, withoutBody } from '../../../../support/fake-store-error.ts';
import { creating } from './requests.ts';

describe('each error of a store becomes one outcome', () => {
  test.each<[string, Error]>([
    ['denied', new FakeStoreError(403, 'AccessDenied')],
    ['denied', new FakeStoreError(403, 'InvalidClientTokenId')],
    ['denied', withoutBody(403)],
    ['taken', withoutBody(301)],
    ['taken', new FakeStoreError(409, 'BucketAlreadyExists')],
    ['missing', withoutBody(404)],
    ['missing', new FakeStoreError(404, 'NoSuchBucket')],
    ['invalid', new FakeStoreError(400, 'InvalidBucketName')],
    ['invalid', new FakeStoreError(501, 'NotImplemented')],
    ['invalid', iamError(400, 'MalformedPolicyDocument')],
    ['unavailable', iamError(409, 'LimitExceeded')],
    ['unavailable', iamError(409, 'EntityTemporarilyUnmodifiable')],
    ['unavailable', new FakeStoreError(400, 'Throttling')],
    ['unavailable', new FakeStoreError(400, 'ExpiredToken')],
    ['unavailable', new FakeStoreError(409, 'OperationAborted')],
    ['unavailable', new FakeStoreError(503, 'SlowDown')],
    ['unavailable', new FakeStoreError(500, 'InternalError')],
    ['unavailable', Object.assign(new Error('connect'), { code: 'ECONNREFUSED', $metadata: {} })],
    ['unavailable', Object.assign(new Error('certificate'), { code: 'CERT_HAS_EXPIRED', $metadata: {} })],
    ['unavailable', Object.assign(new Error('late'), { name: 'TimeoutError' })],
    ['unavailable', Object.assign(new Error('late'), { name: 'AbortError' })],
  ])('%s: %s', (result, error) => {
    const classified = classify(error, 's3:Anything');
    expect(classified).toBeInstanceOf(StoreError);
    expect((classified as StoreError).failure).toMatchObject({
      result,
      message: expect.stringContaining('s3:Anything'),
    });
  });
});

test('a mistake of our own is thrown', async () => {
  const store = new FakeStore({
    around: () => {
      throw new TypeError('not a function');
    },
  });
  const driver = createS3Driver('s3.example.com', store.connect);
  await expect(driver.createBucket(creating())).rejects.toThrow('not a function');
});

test('who is denied learns which permission is missing', async () => {
  const store = new FakeStore({
    around: (name, perform) => {
      if (name === 'PutPublicAccessBlock') throw new FakeStoreError(403, 'AccessDenied', 'no policy allows it');
      return perform();
    },
  });
  const driver = createS3Driver('s3.example.com', store.connect);
  expect(await driver.createBucket(creating())).toEqual({
    result: 'denied',
    message: expect.stringMatching(/^s3:PutBucketPublicAccessBlock is not allowed.*no policy allows it/),
  });
});
