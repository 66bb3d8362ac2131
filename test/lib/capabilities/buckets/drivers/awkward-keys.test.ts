import { DeleteObjectsCommand, type ListObjectVersionsOutput } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { decodedKey, isXmlSafe } from '../../../../../lib/capabilities/buckets/drivers/s3/object-keys.ts';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { bucket, creating, deleting, region } from './requests.ts';

async function withKeys(...keys: string[]) {
  const store = new FakeStore();
  const driver = createS3Driver('s3.example.com', store.connect);
  await driver.createBucket(creating({ parameters: { region, versioning: 'true' } }));
  for (const key of keys) store.put(bucket, key);
  return { store, driver };
}

const awkward = ['null\0', 'bell\u0007', 'carriage\rreturn', 'next\u0085line', 'not\uffffa character', ' spaces '];
const ordinary = ['a+b c', '100%', 'folder/ümlaut', '<&>"', '😀'];

test('a document carries any key that it does not change', () => {
  expect(awkward.filter(isXmlSafe)).toEqual([]);
  expect(ordinary.filter((key) => !isXmlSafe(key))).toEqual([]);
});

test('a key in a list is read as the store says that it is written', () => {
  expect(decodedKey('a%2Bb+c', 'url')).toBe('a+b c');
  expect(decodedKey('a%2Bb+c', undefined)).toBe('a%2Bb+c');
  expect(decodedKey('100%', 'url')).toBe('100%');
});

test('keys that no document can carry are deleted one by one, and the others together', async () => {
  const { store, driver } = await withKeys(...awkward, ...ordinary);
  store.hide(bucket, 'bell\u0007');
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
  expect(store.commands.filter((name) => name === 'DeleteObjects')).toHaveLength(1);
  expect(store.commands.filter((name) => name === 'DeleteObject')).toHaveLength(awkward.length + 1);
  expect(store.buckets).toEqual([]);
});

test('a locked one among them is named, and the rest is gone', async () => {
  const { store, driver } = await withKeys('bell\u0007', 'null\0', 'key');
  const locked = store.bucket(bucket)?.versions.at(-1);
  store.bucket(bucket)?.locked.add(locked?.id ?? '');
  expect(await driver.deleteBucket(deleting())).toMatchObject({
    result: 'denied',
    message: expect.stringMatching(/1 of 3 .*AccessDenied.*retention, legal hold/),
  });
  expect(store.bucket(bucket)?.versions).toEqual([locked]);
});

test('only what the store names as deleted counts', async () => {
  const { store, driver } = await withKeys('key');
  store.around = (name, perform) => (name === 'DeleteObjects' ? { Deleted: [] } : perform());
  expect(await driver.deleteBucket(deleting())).toMatchObject({
    result: 'unavailable',
    message: expect.stringContaining('removed nothing'),
  });
});

test('a store that lists again what it names as deleted is not asked for ever', async () => {
  const { store, driver } = await withKeys('key');
  store.around = (name, perform) => (name === 'DeleteObjects' ? { Deleted: [{ Key: 'key' }] } : perform());
  expect(await driver.deleteBucket(deleting())).toMatchObject({
    result: 'unavailable',
    message: expect.stringContaining('still lists it'),
  });
  expect(store.commands.filter((name) => name === 'DeleteObjects')).toHaveLength(1);
});

test('a store that writes keys plainly, though it is asked not to, is understood', async () => {
  const { store, driver } = await withKeys('100%25', 'a+b');
  store.around = (name, perform) => {
    const answer = perform();
    if (name !== 'ListObjectVersions') return answer;
    const { Versions = [] } = answer as ListObjectVersionsOutput;
    return { Versions: Versions.map((each) => ({ ...each, Key: decodedKey(each.Key, 'url') })) };
  };
  expect(await driver.deleteBucket(deleting())).toEqual({ result: 'deleted' });
});

test('the fake store refuses a document with such a key, as S3 does', async () => {
  const { store } = await withKeys('bell\u0007');
  const { s3 } = store.connect({ region } as Parameters<typeof store.connect>[0]);
  const Delete = { Objects: [{ Key: 'bell\u0007', VersionId: store.bucket(bucket)?.versions[0]?.id }] };
  await expect(s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }))).rejects.toThrow('MalformedXML');
});
