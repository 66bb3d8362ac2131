import { describe, expect, test } from '@jest/globals';
import type { Driver } from '../../../../../../lib/capabilities/buckets/drivers/driver.ts';
import type { DriverCall } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/driver-call.ts';
import { readFor } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/read.ts';
import { provisionBucket } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/step.ts';
import { clusterOf } from '../../../cluster-of.ts';
import * as stage from '../../bucket-stages.ts';

const key = { name: stage.contentName };
const asked: string[] = [];
const answer = (name: string) => async () => {
  asked.push(name);
  return { result: 'unavailable', message: name } as const;
};
const driver: Driver = {
  info: () => ({ name: stage.driver, protocols: ['s3'] }),
  check: (parameters, flow) => [`${flow} of ${Object.keys(parameters).join()}`],
  settleParameters: (parameters) => ({ region: 'eu-central-1', ...parameters }),
  createBucket: answer('create'),
  deleteBucket: answer('delete'),
  grantBucketAccess: answer('grant'),
  revokeBucketAccess: answer('revoke'),
};
const ours = { drivers: new Map([[stage.driver, driver]]), identity: 'deployment-1', worker: 'worker-1' };
const [bucket, registration, secret] = [stage.bucket(), stage.registration(), stage.source()];
const admin = stage.source({}, { name: 'admin', uid: 'uid-admin', ownerReferences: [] });

describe('a content leads', () => {
  test('to its Bucket, its Secret, its registration and what the driver says', async () => {
    const content = stage.content({ spec: { parameters: { driverSecretName: 'admin' } } });
    const world = await readFor(ours)(clusterOf(content, bucket, registration, secret, admin), key);
    const problems = ['Greenfield of driverSecretName'];
    expect(world).toMatchObject({ content, bucket, registration, secret, driverSecret: admin, problems });
    expect(world).toMatchObject({ cluster: 'test', identity: 'deployment-1', worker: 'worker-1' });
  });

  test('to no Bucket where another one has the name', async () => {
    const namesake = stage.bucket({ metadata: { uid: 'uid-of-another' } });
    expect((await readFor(ours)(clusterOf(stage.content(), namesake), key)).bucket).toBeUndefined();
  });

  test('to no Secret where the driver is none of ours', async () => {
    const cluster = clusterOf(stage.content(), bucket, secret);
    const world = await readFor({ ...ours, drivers: new Map() })(cluster, key);
    expect([world.secret, world.problems]).toEqual([undefined, undefined]);
    expect(cluster.asked.filter((path) => path.includes('secrets'))).toEqual([]);
  });

  test('to a Secret for the driver in no other namespace than ours', async () => {
    const content = stage.content({ spec: { parameters: { driverSecretName: 'shared' } } });
    const world = await readFor(ours)(clusterOf(content, stage.administratorsSecret), key);
    expect(world.driverSecret).toBeUndefined();
  });

  test('nowhere once it is gone', async () => {
    expect((await readFor(ours)(clusterOf(bucket), key)).content).toBeUndefined();
  });
});

test('each call goes to the driver that the content names, and to no other', async () => {
  const { perform } = provisionBucket(ours);
  const world = { cluster: 'test', identity: 'deployment-1', worker: 'worker-1' };
  const request = { cluster: 'test', owner: 'uid-bucket' };
  const call = (operation: string, name = stage.driver) =>
    perform?.({ operation, request, driver: name } as DriverCall, world);
  for (const name of ['CreateBucket', 'GrantBucketAccess', 'RevokeBucketAccess', 'DeleteBucket']) await call(name);
  expect(asked).toEqual(['create', 'grant', 'revoke', 'delete']);
  await expect(async () => call('CreateBucket', 'other')).rejects.toThrow('there is no driver other');
});

test('that a call has changed nothing counts only where no call before it may have made anything', async () => {
  const answers = [{ result: 'denied', message: '', hasChangedNothing: true }, { result: 'created' }] as const;
  let which = 0;
  const createBucket = async () => answers[which] ?? answers[0];
  const { perform } = provisionBucket({ ...ours, drivers: new Map([[stage.driver, { ...driver, createBucket }]]) });
  const call = async (owner: string, answer: number) => {
    which = answer;
    const asked = { slot: '', operation: 'CreateBucket', about: '', request: { owner }, driver: stage.driver };
    return perform?.(asked as Parameters<typeof perform>[0], { cluster: '', identity: '', worker: '' });
  };
  for (let times = 0; times < 2; times += 1) expect(await call('one', 0)).toMatchObject({ hasChangedNothing: true });
  expect(await call('one', 1)).toEqual({ result: 'created' });
  expect(await call('one', 0)).toMatchObject({ hasChangedNothing: false });
  expect(await call('other', 0)).toMatchObject({ hasChangedNothing: true });
});
