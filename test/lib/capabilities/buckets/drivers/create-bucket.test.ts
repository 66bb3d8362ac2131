import { expect, test } from '@jest/globals';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore, type FakeStoreOptions } from '../../../../support/fake-store.ts';
import { bucket, creating, owner, region } from './requests.ts';

function set(options?: FakeStoreOptions) {
  const store = new FakeStore(options);
  return { store, driver: createS3Driver('s3.example.com', store.connect, { identity: 'main' }) };
}

const ownerTag = { Key: 'longshore.dev/owner', Value: owner };

test('a bucket has its owner’s tag from its first moment, and is closed to the public', async () => {
  const { store, driver } = set();
  const parameters = { region, tags: 'team=storage,stage=test' };
  expect(await driver.createBucket(creating({ parameters }))).toEqual({ result: 'created' });
  expect(store.bucket(bucket)).toMatchObject({
    region,
    blocksPublicAccess: true,
    isVersioned: false,
    tags: [
      ownerTag,
      { Key: 'longshore.dev/cluster', Value: 'main' },
      { Key: 'longshore.dev/deployment', Value: 'main' },
      { Key: 'longshore.dev/namespace', Value: 'team-a' },
      { Key: 'longshore.dev/name', Value: 'photos' },
      { Key: 'team', Value: 'storage' },
      { Key: 'stage', Value: 'test' },
    ],
  });
  expect(store.commands).not.toContain('PutBucketTagging');
});

test('the settings of the class are applied, and applied again', async () => {
  const { store, driver } = set();
  const parameters = { region, versioning: 'true', encryption: 'AES256', expireDays: '30' };
  for (let time = 0; time < 2; time++) {
    expect(await driver.createBucket(creating({ parameters }))).toEqual({ result: 'created' });
    expect(store.bucket(bucket)).toMatchObject({ isVersioned: true, encryption: 'AES256', expireDays: 30 });
  }
});

test('what has been made of the settings of a bucket that was handed over is left as it is', async () => {
  const { store, driver } = set();
  await driver.createBucket(creating({ parameters: { region, expireDays: '30' } }));
  Object.assign(store.bucket(bucket) ?? {}, { expireDays: 365 });
  const again = creating({ parameters: { region, expireDays: '30' }, isHandedOver: true });
  expect(await driver.createBucket(again)).toEqual({ result: 'created' });
  expect(store.bucket(bucket)?.expireDays).toBe(365);
});

test('in us-east-1 nothing is made that is there, as that would reset who may reach it', async () => {
  const { store, driver } = set();
  for (let time = 0; time < 2; time++) await driver.createBucket(creating({ parameters: { region: 'us-east-1' } }));
  expect(store.commands.filter((command) => command === 'CreateBucket')).toHaveLength(1);
});

test.each(['us-east-1', 'eu-central-1'])('in %s a bucket that is ours is made twice', async (where) => {
  const { store, driver } = set();
  for (let time = 0; time < 2; time++) {
    const outcome = await driver.createBucket(creating({ parameters: { region: where } }));
    expect(outcome).toEqual({ result: 'created' });
  }
  expect(store.buckets).toMatchObject([{ region: where }]);
});

test.each(['us-east-1', 'eu-central-1'])('in %s another owner’s bucket is taken', async (where) => {
  const { store, driver } = set();
  store.addBucket(bucket, { region: where, tags: [{ ...ownerTag, Value: 'other' }] });
  const outcome = await driver.createBucket(creating({ parameters: { region: where } }));
  expect(outcome).toMatchObject({ result: 'taken' });
  expect(store.bucket(bucket)).toMatchObject({ tags: [{ Value: 'other' }], blocksPublicAccess: false });
});

test('another account’s bucket is taken', async () => {
  const { store, driver } = set();
  store.addBucket(bucket, { isAnotherAccounts: true });
  expect(await driver.createBucket(creating())).toMatchObject({ result: 'taken' });
});

test('our own bucket in another region is taken', async () => {
  const { store, driver } = set();
  store.addBucket(bucket, { region: 'eu-west-1', tags: [ownerTag] });
  expect(await driver.createBucket(creating())).toMatchObject({ result: 'taken' });
});

test('a store that ignores tags with the bucket gets them right after, also when we were interrupted', async () => {
  const { store, driver } = set({ tagsWithBucket: false });
  store.around = (name, perform) => {
    if (name === 'PutBucketTagging') throw new Error('killed');
    return perform();
  };
  await expect(driver.createBucket(creating())).rejects.toThrow('killed');
  expect(store.bucket(bucket)?.tags).toEqual([]);
  store.around = (_, perform) => perform();
  expect(await driver.createBucket(creating())).toEqual({ result: 'created' });
  expect(store.bucket(bucket)?.tags).toContainEqual(ownerTag);
});

test('a bucket without tags is adopted only while it is empty', async () => {
  const { store, driver } = set();
  store.addBucket(bucket);
  store.startUpload(bucket, 'film');
  expect(await driver.createBucket(creating())).toMatchObject({ result: 'taken' });
  expect(store.bucket(bucket)?.tags).toEqual([]);
});

test('a bucket without tags is adopted only if it has the owner’s name', async () => {
  const { store, driver } = set();
  store.addBucket('photos');
  expect(await driver.createBucket(creating({ bucket: 'photos' }))).toMatchObject({ result: 'taken' });
  expect(store.bucket('photos')?.tags).toEqual([]);
});

test('a bucket with other tags is not adopted', async () => {
  const { store, driver } = set();
  store.addBucket(bucket, { tags: [{ Key: 'team', Value: 'b' }] });
  expect(await driver.createBucket(creating())).toMatchObject({ result: 'taken' });
});

test('a name that cannot be is invalid', async () => {
  const { driver } = set();
  expect(await driver.createBucket(creating({ bucket: 'No..Name' }))).toMatchObject({ result: 'invalid' });
});

test('nothing is started after the deadline, in the middle of a call either', async () => {
  const store = new FakeStore();
  let now = 0;
  const driver = createS3Driver('s3.example.com', store.connect, { clock: () => now });
  expect(await driver.createBucket(creating({ deadline: 0 }))).toMatchObject({ result: 'unavailable' });
  expect(store.commands).toEqual([]);
  store.around = (_, perform) => {
    now = 10;
    return perform();
  };
  expect(await driver.createBucket(creating({ deadline: 5 }))).toMatchObject({ result: 'unavailable' });
  expect(store.commands).toEqual(['CreateBucket']);
});
