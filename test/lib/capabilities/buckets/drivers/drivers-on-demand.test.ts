import { expect, test } from '@jest/globals';
import type { Driver } from '../../../../../lib/capabilities/buckets/drivers/driver.ts';
import type { DriverConfig } from '../../../../../lib/capabilities/buckets/drivers/driver-config.ts';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import { driversOnDemand } from '../../../../../lib/capabilities/buckets/drivers/drivers-on-demand.ts';

const configs: DriverConfig[] = [
  { name: 's3.example.com', type: 's3', region: 'eu-central-1' },
  { name: 'keys.example.com', type: 'shared-keys', endpoint: 'http://127.0.0.1:1' },
];
const options = { identity: 'test', permissionsBoundary: 'arn:aws:iam::111122223333:policy/buckets' };
const [onDemand, loaded] = [driversOnDemand(configs, options), createDrivers(configs, options)];
const wrong = { versioning: 'perhaps', permissionsBoundary: 'arn:aws:iam::111122223333:policy/other' };

test.each(configs.map(({ name }) => name))(
  '%s says of itself and of parameters what it says once it is loaded',
  (name) => {
    const [one, other] = [onDemand.get(name), loaded.get(name)];
    expect(one?.info()).toEqual(other?.info());
    for (const parameters of [{}, wrong, { region: 'us-east-1', driverSecretName: 'keys' }]) {
      expect(one?.settleParameters(parameters)).toEqual(other?.settleParameters(parameters));
      for (const flow of ['Greenfield', 'Brownfield'] as const)
        expect(one?.check(parameters, flow)).toEqual(other?.check(parameters, flow));
    }
    expect(one?.check(wrong, 'Greenfield')).not.toEqual([]);
  },
);

test('each call is answered as by the driver itself', async () => {
  const store = { endpoint: 'http://127.0.0.1:1', region: 'eu-central-1', driverSecretName: 'keys' };
  const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
  const about = {
    bucket: 'data',
    owner: 'ba-6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    cluster: 'main',
    parameters: store,
    secrets,
  };
  const request = { ...about, deadline: Date.now() + 10_000, requester: { namespace: 'prod', name: 'data' } };
  const grant = { ...request, flow: 'Greenfield' as const, mode: 'rw' as const, held: {} };
  const answersOf = async (driver: Driver | undefined) => [
    await driver?.createBucket(request),
    await driver?.grantBucketAccess(grant),
    await driver?.revokeBucketAccess(request),
    await driver?.deleteBucket(request),
  ];
  const answers = await answersOf(onDemand.get('s3.example.com'));
  expect(answers).toEqual(await answersOf(loaded.get('s3.example.com')));
  expect(answers.map((answer) => answer?.result)).toEqual(['unavailable', 'unavailable', 'unavailable', 'unavailable']);
});
