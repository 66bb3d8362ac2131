import { describe, expect, test } from '@jest/globals';
import type { Parameters } from '../../../../../lib/capabilities/buckets/drivers/driver.ts';
import type { DriverType } from '../../../../../lib/capabilities/buckets/drivers/driver-config.ts';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import type { Settings } from '../../../../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { creating } from './requests.ts';

interface Deployment {
  type?: DriverType;
  region?: string;
  endpoint?: string;
}

function driverOf({ type = 's3', ...defaults }: Deployment) {
  const asked: Settings[] = [];
  const store = new FakeStore();
  const connect = (settings: Settings) => {
    asked.push(settings);
    return store.connect(settings);
  };
  const driver = createDrivers([{ name: 'x.example.com', type, ...defaults }], { connect }).get('x.example.com');
  if (!driver) throw new Error('the driver is not there');
  return { driver, asked };
}

const objects = 'https://objects.example.com';
const aws = (region: string) => ({ region, endpoint: `https://s3.${region}.amazonaws.com`, forcePathStyle: 'false' });
const awsIam = 'https://iam.amazonaws.com';
const elsewhere = { endpoint: objects, iamEndpoint: objects, forcePathStyle: 'true' };

describe('a class means for good what it means now', () => {
  test.each<[string, Parameters, Deployment, Parameters]>([
    ['a region', { region: 'eu-west-1' }, {}, { ...aws('eu-west-1'), iamEndpoint: awsIam }],
    ['the default region', {}, { region: 'eu-west-1' }, { ...aws('eu-west-1'), iamEndpoint: awsIam }],
    ['its own region', { region: 'a' }, { region: 'b' }, { ...aws('a'), iamEndpoint: awsIam }],
    ['an endpoint', { endpoint: objects }, {}, { region: 'us-east-1', ...elsewhere }],
    ['the default endpoint', {}, { endpoint: objects, region: 'a' }, { region: 'a', ...elsewhere }],
    [
      'an IAM of its own',
      { endpoint: objects, iamEndpoint: 'https://iam.example.com', forcePathStyle: 'false' },
      {},
      { region: 'us-east-1', endpoint: objects, iamEndpoint: 'https://iam.example.com', forcePathStyle: 'false' },
    ],
    [
      'a region in China',
      { region: 'cn-north-1' },
      {},
      {
        region: 'cn-north-1',
        endpoint: 'https://s3.cn-north-1.amazonaws.com.cn',
        iamEndpoint: 'https://iam.cn-north-1.amazonaws.com.cn',
        forcePathStyle: 'false',
      },
    ],
    [
      'a store whose consumers share keys',
      { endpoint: objects, driverSecretName: 'store' },
      { type: 'shared-keys' },
      { region: 'us-east-1', endpoint: objects, forcePathStyle: 'true', driverSecretName: 'store' },
    ],
  ])('%s', (_, parameters, deployment, settled) => {
    const { driver } = driverOf(deployment);
    expect(driver.settleParameters(parameters)).toEqual(settled);
    for (const flow of ['Greenfield', 'Brownfield'] as const) expect(driver.check(settled, flow)).toEqual([]);
    for (const later of [{}, { region: 'z' }, { endpoint: 'https://new.example.com' }]) {
      const { type } = deployment;
      expect(driverOf({ ...(type ? { type } : {}), ...later }).driver.settleParameters(settled)).toEqual(settled);
    }
  });

  test.each<Parameters>([{ region: 'eu-west-1' }, { endpoint: objects }, {}])(
    'the store of %j stays the same when the deployment’s defaults change',
    async (parameters) => {
      const first = driverOf({ region: 'eu-central-1' });
      const settled = first.driver.settleParameters(parameters);
      await first.driver.createBucket(creating({ parameters }));
      const later = driverOf({ region: 'us-west-2', endpoint: 'https://new.example.com' });
      await later.driver.createBucket(creating({ parameters: settled }));
      expect(later.asked).toEqual(first.asked);
    },
  );

  test('without a region it stays as it is, and is refused', () => {
    const { driver } = driverOf({});
    expect(driver.settleParameters({ tags: 'a=b' })).toEqual({ tags: 'a=b' });
    expect(driver.check({ tags: 'a=b' }, 'Greenfield')).toEqual([expect.stringContaining('region is missing')]);
  });
});
