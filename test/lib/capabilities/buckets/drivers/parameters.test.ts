import { describe, expect, test } from '@jest/globals';
import type { Flow, Parameters } from '../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import type { Settings } from '../../../../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { creating, granting, region } from './requests.ts';

function driverOf(type: 's3' | 'shared-keys', connect = new FakeStore().connect, also: object = {}) {
  const driver = createDrivers([{ name: 'x.example.com', type, ...also }], { connect }).get('x.example.com');
  if (!driver) throw new Error('the driver is not there');
  return driver;
}

const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
const kmsKeyId = 'arn:aws:kms:eu-central-1:111122223333:key/k';

describe('a class for S3', () => {
  test.each<[Parameters, Flow]>([
    [{ region }, 'Greenfield'],
    [{ endpoint: 'https://objects.example.com:9000' }, 'Greenfield'],
    [{ region, credentials: 'role', oidcProvider, serviceAccount: '*' }, 'Greenfield'],
    [
      { region, encryption: 'aws:kms', kmsKeyId, versioning: 'true', expireDays: '7', forceEmpty: 'false' },
      'Greenfield',
    ],
    [{ region, kmsKeyId, tags: 'a=b,c=' }, 'Brownfield'],
    [{ region, driverSecretName: 'admin', iamEndpoint: 'http://127.0.0.1:9000', forcePathStyle: 'true' }, 'Greenfield'],
    [{ region, permissionsBoundary: 'arn:aws:iam::111122223333:policy/b' }, 'Greenfield'],
  ])('may say %j in %s', (parameters, flow) => {
    expect(driverOf('s3').check(parameters, flow)).toEqual([]);
  });

  test.each<[Parameters, Flow, RegExp]>([
    [{}, 'Greenfield', /region is missing/],
    [{ region, versionin: 'true' }, 'Greenfield', /"versionin": did you mean versioning\?/],
    [{ region, storageQuality: 'x' }, 'Greenfield', /known parameters are region, endpoint/],
    [{ region, toString: 'x' }, 'Greenfield', /Unknown parameter "toString"/],
    [{ region, quota: '10Gi' }, 'Greenfield', /quota is not supported/],
    [{ region, versioning: 'yes' }, 'Greenfield', /versioning is "yes": it must be "true" or "false"/],
    [{ region, versioning: 'true' }, 'Brownfield', /only for new buckets/],
    [{ region, encryption: 'aws' }, 'Greenfield', /encryption/],
    [{ region, kmsKeyId }, 'Greenfield', /requires encryption "aws:kms"/],
    [{ region, expireDays: '0' }, 'Greenfield', /expireDays/],
    [{ region, expireDays: '1.5' }, 'Greenfield', /expireDays/],
    [{ region: 'Frankfurt' }, 'Greenfield', /region is "Frankfurt"/],
    [{ endpoint: 'objects.example.com' }, 'Greenfield', /endpoint is/],
    [{ endpoint: 'https://key:secret@objects.example.com' }, 'Greenfield', /endpoint is/],
    [{ region, tags: 'team' }, 'Greenfield', /"team", which is not a tag/],
    [{ region, tags: 'longshore.dev/owner=me' }, 'Greenfield', /reserved/],
    [{ region, tags: 'AWS:x=me' }, 'Greenfield', /reserved/],
    [{ region, tags: 'a=b,A=c' }, 'Greenfield', /twice/],
    [{ region, tags: 'a=<b>' }, 'Greenfield', /which tags cannot contain/],
    [{ region, credentials: 'role', serviceAccount: 'a' }, 'Greenfield', /oidcProvider is missing/],
    [{ region, serviceAccount: 'a' }, 'Greenfield', /only for credentials "role"/],
    [{ region, credentials: 'role', oidcProvider, serviceAccount: 'a:b' }, 'Greenfield', /serviceAccount/],
    [{ region, permissionsBoundary: 'boundary' }, 'Greenfield', /permissionsBoundary/],
  ])('may not say %j in %s', (parameters, flow, problem) => {
    expect(driverOf('s3').check(parameters, flow)).toEqual([expect.stringMatching(problem)]);
  });

  test('is refused by the calls too, without asking the store', async () => {
    const store = new FakeStore();
    const driver = driverOf('s3', store.connect);
    const parameters = { region, versionin: 'true' };
    expect(await driver.createBucket(creating({ parameters }))).toMatchObject({ result: 'invalid' });
    expect(await driver.grantBucketAccess(granting({ parameters }))).toMatchObject({ result: 'invalid' });
    expect(store.commands).toEqual([]);
  });
});

describe('the store that a class means', () => {
  async function settingsOf(parameters: Parameters, secrets: Parameters = {}, also: object = {}) {
    const store = new FakeStore();
    const asked: Settings[] = [];
    const connect = (settings: Settings) => {
      asked.push(settings);
      return store.connect(settings);
    };
    const outcome = await driverOf('s3', connect, also).createBucket(creating({ parameters, secrets }));
    return { outcome, settings: asked[0] };
  }

  test('is AWS, called with the function’s own role', async () => {
    const { settings } = await settingsOf({}, {}, { region });
    const nowhere = { endpoint: undefined, iamEndpoint: undefined, credentials: undefined };
    expect(settings).toEqual({ region, forcePathStyle: false, ...nowhere });
  });

  test('is at its endpoint, with the keys of its Secret, which no other address gets', async () => {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const endpoint = 'https://objects.example.com';
    const { settings } = await settingsOf({ endpoint, driverSecretName: 'admin' }, keys);
    expect(settings).toEqual({
      region: 'us-east-1',
      endpoint,
      iamEndpoint: endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  test('is not called with the function’s own role when its Secret has no keys', async () => {
    const { outcome, settings } = await settingsOf({ region, driverSecretName: 'admin' });
    expect(outcome).toMatchObject({ result: 'denied', message: expect.stringContaining('AWS_ACCESS_KEY_ID') });
    expect(settings).toBeUndefined();
  });
});
