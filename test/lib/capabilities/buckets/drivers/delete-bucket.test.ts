import { expect, test } from '@jest/globals';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { bucket, creating, deleting, region } from './requests.ts';

async function withBucket(parameters: Record<string, string> = {}) {
  const store = new FakeStore();
  const driver = createS3Driver('s3.example.com', store.connect);
  await driver.createBucket(creating({ parameters: { region, ...parameters } }));
  return { store, driver };
}

function fill(store: FakeStore, count: number): void {
  for (let index = 0; index < count; index++) store.put(bucket, `key-${index}`);
}

test('an empty bucket is deleted, and one that is gone is deleted too', async () => {
  const { store, driver } = await withBucket();
  for (let time = 0; time < 2; time++) {
    expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
    expect(store.buckets).toEqual([]);
  }
});

test('versions, markers and unfinished uploads go first', async () => {
  const { store, driver } = await withBucket({ versioning: 'true' });
  fill(store, 1_500);
  store.hide(bucket, 'key-1');
  store.startUpload(bucket, 'film');
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
  expect(store.commands.filter((name) => name === 'DeleteObjects')).toHaveLength(2);
  expect(store.buckets).toEqual([]);
});

test('a large bucket is emptied over several calls', async () => {
  const { store, driver } = await withBucket();
  fill(store, 10_500);
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'emptying', removed: 10_000 });
  expect(store.bucket(bucket)?.versions).toHaveLength(500);
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
});

test('shortly before the deadline no other page is begun', async () => {
  const { store } = await withBucket();
  fill(store, 2_500);
  let now = 0;
  store.around = (name, perform) => {
    if (name === 'DeleteObjects') now += 20_000;
    return perform();
  };
  const driver = createS3Driver('s3.example.com', store.connect, { clock: () => now });
  expect(await driver.deleteBucket(deleting({ deadline: 24_000 }))).toEqual({ result: 'emptying', removed: 1_000 });
});

test('what somebody puts into it meanwhile makes it be emptied again', async () => {
  const { store, driver } = await withBucket();
  fill(store, 1);
  store.around = (name, perform) => {
    if (name === 'DeleteBucket') store.put(bucket, 'late');
    return perform();
  };
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'emptying', removed: 1 });
});

test('what is locked is named, and the rest is gone', async () => {
  const { store, driver } = await withBucket({ versioning: 'true' });
  fill(store, 3);
  const [locked] = store.bucket(bucket)?.versions ?? [];
  store.bucket(bucket)?.locked.add(locked?.id ?? '');
  const outcome = await driver.deleteBucket(deleting());
  expect(outcome).toMatchObject({ result: 'denied', message: expect.stringContaining('1 of 3') });
  expect(store.bucket(bucket)?.versions).toEqual([locked]);
});

test.each(['object', 'upload', 'marker'])('forceEmpty "false" leaves a bucket with one %s in it', async (what) => {
  const { store, driver } = await withBucket({ versioning: 'true' });
  if (what === 'object') store.put(bucket, 'key');
  if (what === 'upload') store.startUpload(bucket, 'film');
  if (what === 'marker') store.hide(bucket, 'key');
  const request = deleting({ parameters: { region, forceEmpty: 'false' } });
  expect(await driver.deleteBucket(request)).toMatchObject({ result: 'occupied' });
  expect(store.buckets).toHaveLength(1);
});

test('forceEmpty "false" deletes an empty bucket, but not one that is filled at the last moment', async () => {
  const { store, driver } = await withBucket();
  store.around = (name, perform) => {
    if (name === 'DeleteBucket') store.put(bucket, 'late');
    return perform();
  };
  const request = deleting({ parameters: { region, forceEmpty: 'false' } });
  expect(await driver.deleteBucket(request)).toMatchObject({ result: 'occupied' });
  expect(store.bucket(bucket)?.versions).toHaveLength(1);
  store.around = (_, perform) => perform();
  await driver.deleteBucket(deleting());
  expect(store.buckets).toEqual([]);
});

test('nobody else’s bucket is touched', async () => {
  const { store, driver } = await withBucket();
  fill(store, 1);
  const other = deleting({ owner: '11111111-2222-3333-4444-555555555555' });
  expect(await driver.deleteBucket(other)).toMatchObject({ result: 'foreign' });
  store.addBucket('elsewhere', { region: 'us-west-2' });
  expect(await driver.deleteBucket(deleting({ bucket: 'elsewhere' }))).toMatchObject({ result: 'foreign' });
  expect(store.bucket(bucket)?.versions).toHaveLength(1);
});

test('a bucket that lost its tags is deleted by its name only while it is empty', async () => {
  const { store, driver } = await withBucket();
  store.addBucket(bucket);
  store.put(bucket, 'key');
  expect(await driver.deleteBucket(deleting())).toMatchObject({ result: 'foreign' });
  store.hide(bucket, 'key');
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
});
