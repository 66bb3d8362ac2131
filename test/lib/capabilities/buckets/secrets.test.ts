import { describe, expect, test } from '@jest/globals';
import {
  dataPatch,
  decode,
  encode,
  environmentOf,
  isOwned,
  onlyCredentials,
} from '../../../../lib/capabilities/buckets/secrets.ts';
import { mergePatch } from '../../../simulation/merge-patch.ts';
import * as stage from './bucket-stages.ts';

const location = { protocol: 's3', bucket: 'photos', region: 'eu-central-1', endpoint: 'https://s3.example.com' };
const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' };

describe('what an application reads', () => {
  test('is the credentials and where the bucket is', () => {
    const { BucketInfo: _, ...environment } = environmentOf(location, keys);
    expect(environment).toEqual({
      ...keys,
      BUCKET_NAME: 'photos',
      BUCKET_HOST: 's3.example.com',
      BUCKET_PORT: '443',
      BUCKET_REGION: 'eu-central-1',
      COSI_PROTOCOL: 's3',
    });
  });

  test.each([
    ['https://s3.example.com', 's3.example.com', '443'],
    ['http://store.local', 'store.local', '80'],
    ['http://store.local:9000/path', 'store.local', '9000'],
    ['https://store.local:443', 'store.local', '443'],
  ])('of %s is the host %s and the port %s', (endpoint, BUCKET_HOST, BUCKET_PORT) => {
    expect(environmentOf({ ...location, endpoint }, keys)).toMatchObject({ BUCKET_HOST, BUCKET_PORT });
  });

  test('is the same once more in the form that COSI gives it', () => {
    expect(JSON.parse(environmentOf(location, keys).BucketInfo ?? '')).toEqual({
      metadata: { name: 'photos' },
      spec: {
        bucketName: 'photos',
        authenticationType: 'Key',
        secretS3: { endpoint: location.endpoint, region: 'eu-central-1', accessKeyID: 'id', accessSecretKey: 'hush' },
        protocols: ['s3'],
      },
    });
  });

  test('has no keys where a role stands for them', () => {
    const { BucketInfo = '' } = environmentOf(location, { AWS_ROLE_ARN: 'arn' });
    expect(JSON.parse(BucketInfo).spec).toEqual({
      bucketName: 'photos',
      authenticationType: 'IAM',
      secretS3: { endpoint: location.endpoint, region: 'eu-central-1' },
      protocols: ['s3'],
    });
  });

  test('leads back to what the driver gave', () => {
    expect(onlyCredentials(environmentOf(location, keys))).toEqual(keys);
  });
});

test('what is encoded is read as it was, in every script', () => {
  const values = { one: 'ä€ß', two: '', three: 'line\nline' };
  expect(decode({ ...stage.source(), data: encode(values) })).toEqual(values);
  expect(decode(stage.source())).toEqual({});
});

describe('a patch of data', () => {
  const before = { a: '1', b: '2' };

  test.each([
    ['nothing', before, undefined],
    ['what has changed', { a: '1', b: '3' }, { b: '3' }],
    ['what is new', { ...before, c: '3' }, { c: '3' }],
    ['what is too much', { a: '1' }, { b: null }],
    ['all of it', {}, { a: null, b: null }],
    ['the value of a key that every object has', { ...before, constructor: 'x' }, { constructor: 'x' }],
  ])('has %s in it', (_, after, patch) => {
    expect(dataPatch(before, after)).toEqual(patch);
    expect(mergePatch(before, patch ?? {})).toEqual(after);
  });

  test('makes all where there was none', () => {
    expect([dataPatch(undefined, before), dataPatch(undefined, {})]).toEqual([before, undefined]);
  });
});

describe('a Secret is a Bucket’s', () => {
  const annotations = (uid: string) => ({ annotations: { 'longshore.dev/bucket': uid } });
  test.each([
    ['by owner and mark', {}, true],
    ['by its owner alone', { annotations: {} }, true],
    ['by our mark alone', { ownerReferences: [] }, true],
    ['not without either', { ownerReferences: [], annotations: {} }, false],
    ['not by the mark of another', { ownerReferences: [], ...annotations('uid-other') }, false],
    [
      'not by its name',
      { ownerReferences: [{ ...stage.ownedBy('Bucket'), uid: 'uid-other' }], annotations: {} },
      false,
    ],
  ])('%s', (_, metadata, isOurs) => {
    expect(isOwned(stage.target({}, metadata), stage.bucket())).toBe(isOurs);
  });
});
