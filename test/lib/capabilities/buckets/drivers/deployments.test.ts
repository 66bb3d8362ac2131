import { expect, test } from '@jest/globals';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { createSharedKeysDriver } from '../../../../../lib/capabilities/buckets/drivers/shared-keys/shared-keys-driver.ts';
import type { FakeStore } from '../../../../support/fake-store.ts';
import { withBucket } from './case-access.ts';
import { bucket, common, creating, deleting, granting, owner, region, revoking, userName } from './requests.ts';

// Two deployments of one account, each with a cluster that is called main.

const deploymentKey = 'longshore.dev/deployment';
const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
const byRole = { region, credentials: 'role', oidcProvider, serviceAccount: 'default' };
const taken = expect.objectContaining({
  result: 'taken',
  message: expect.stringMatching(/deployment main, by its tag|belongs to the deployment main/),
});

const otherDriver = (store: FakeStore) => createS3Driver('s3.example.com', store.connect, { identity: 'other' });

function withoutTag(store: FakeStore, key: string): void {
  for (const tagged of [...store.buckets, ...store.users, ...store.roles]) {
    tagged.tags = tagged.tags.filter(({ Key }) => Key !== key);
  }
}

test.each(['us-east-1', 'eu-central-1'])(
  'in %s another deployment neither takes a bucket over nor empties it',
  async (where) => {
    const { store } = await withBucket({ region: where });
    store.put(bucket, 'key');
    const before = structuredClone(store.buckets);
    const parameters = { region: where };
    const driver = otherDriver(store);
    expect(await driver.createBucket(creating({ parameters }))).toEqual(taken);
    expect(await driver.createBucket(creating({ parameters, isHandedOver: true }))).toEqual(taken);
    expect(await driver.deleteBucket(deleting({ parameters }))).toEqual(taken);
    expect(store.buckets).toEqual(before);
  },
);

test.each([{ region }, byRole])(
  'another deployment neither uses nor removes the principal of %j',
  async (parameters) => {
    const { store, grant } = await withBucket();
    await grant({ parameters });
    const before = structuredClone([store.users, store.roles]);
    const driver = otherDriver(store);
    expect(await driver.grantBucketAccess(granting({ parameters }))).toEqual(taken);
    expect(await driver.revokeBucketAccess(revoking({ parameters }))).toEqual(taken);
    expect([store.users, store.roles]).toEqual(before);
  },
);

test('another deployment does not empty a bucket where it finds no role to revoke', async () => {
  const { store, grant } = await withBucket();
  await grant();
  store.put(bucket, 'key');
  const driver = otherDriver(store);
  expect(await driver.revokeBucketAccess(revoking({ parameters: byRole }))).toEqual({
    result: 'revoked',
    found: false,
  });
  expect(await driver.deleteBucket(deleting({ parameters: byRole }))).toEqual(taken);
  expect(store.bucket(bucket)?.versions).toHaveLength(1);
});

test('a bucket of one deployment is not handed out by a class of another', async () => {
  const { store } = await withBucket();
  const endpoint = 'https://objects.example.com';
  const secrets = {
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    CONSUMER_ACCESS_KEY_ID: 'c',
    CONSUMER_SECRET_ACCESS_KEY: 'd',
  };
  const sharedKeys = createSharedKeysDriver('s3.example.com', store.connect, { identity: 'other' });
  const flow = 'Brownfield' as const;
  const stranger = '7e5b1c0d-1f8e-4a7b-8e3f-1b3c9a9e7d5c';
  expect(await otherDriver(store).grantBucketAccess(granting({ flow, owner: stranger }))).toEqual(taken);
  const parameters = { region, endpoint, driverSecretName: 'keys' };
  expect(await sharedKeys.grantBucketAccess(granting({ flow, owner: stranger, parameters, secrets }))).toEqual(taken);
  expect(store.users).toEqual([]);
});

test('what was made before deployments were told apart is left as it is, until somebody says whose it is', async () => {
  const { store, driver } = await withBucket();
  store.put(bucket, 'key');
  withoutTag(store, deploymentKey);
  const doubt = expect.objectContaining({
    result: 'taken',
    message: expect.stringContaining('add longshore.dev/deployment=main'),
  });
  expect(await driver.deleteBucket(deleting())).toEqual(doubt);
  expect(await driver.createBucket(creating())).toEqual(doubt);
  expect(await driver.grantBucketAccess(granting({ flow: 'Brownfield' }))).toEqual(doubt);
  expect(store.bucket(bucket)?.versions).toHaveLength(1);
  store.bucket(bucket)?.tags.push({ Key: deploymentKey, Value: 'main' });
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
});

test('keys of what was made before deployments were told apart can be made again', async () => {
  const { store, driver, grant } = await withBucket();
  withoutTag(store, deploymentKey);
  expect(await driver.createBucket(creating({ isHandedOver: true }))).toEqual({ result: 'created' });
  expect(await grant()).toMatchObject({ result: 'granted' });
});

test('a bucket that says neither cluster nor deployment is shared: any class hands it out, and nobody empties it', async () => {
  const { store, driver } = await withBucket();
  store.put(bucket, 'key');
  withoutTag(store, deploymentKey);
  withoutTag(store, 'longshore.dev/cluster');
  const flow = 'Brownfield' as const;
  expect(await otherDriver(store).grantBucketAccess(granting({ flow }))).toMatchObject({ result: 'granted' });
  expect(await driver.deleteBucket(deleting())).toMatchObject({ result: 'taken' });
  expect(store.bucket(bucket)?.versions).toHaveLength(1);
});

test('a user without a tag is whose path it is below', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  withoutTag(store, deploymentKey);
  const message = expect.stringMatching(
    /below the path \/longshore\/main\/, .* add the tag longshore.dev\/deployment=other/,
  );
  expect(await otherDriver(store).revokeBucketAccess(revoking())).toEqual({ result: 'taken', message });
  expect(store.users).toHaveLength(1);
  expect(await driver.revokeBucketAccess(revoking())).toEqual({ result: 'revoked', found: true });
  expect(store.users).toEqual([]);
});

test('what another deployment has marked below our path is neither called an orphan nor removed', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  for (const { tags } of [...store.users, ...store.buckets]) {
    for (const tag of tags) if (tag.Key === deploymentKey) tag.Value = 'other';
  }
  const about = { parameters: { region }, secrets: {}, deadline: common.deadline };
  expect(await driver.findOwned({ ...about, expected: [], clusters: ['main'] })).toMatchObject({ items: [] });
  for (const item of [
    { kind: 'user', name: userName, owner },
    { kind: 'bucket', name: bucket, owner },
  ] as const) {
    expect(await driver.removeOwned({ ...about, item })).toMatchObject({ result: 'refused' });
  }
  expect([store.users.length, store.buckets.length]).toEqual([1, 1]);
});
