import { expect, test } from '@jest/globals';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { createSharedKeysDriver } from '../../../../../lib/capabilities/buckets/drivers/shared-keys/shared-keys-driver.ts';
import type {
  FindOwnedRequest,
  OwnedResource,
} from '../../../../../lib/capabilities/buckets/drivers/sweepable-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { FakeStoreError, iamError } from '../../../../support/fake-store-error.ts';
import { withBucket } from './case-access.ts';
import { bucket, creating, granting, owner, region, userName } from './requests.ts';

const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
const byRole = { region, credentials: 'role', oidcProvider, serviceAccount: 'default' };
const about = { parameters: { region }, secrets: {}, deadline: Number.MAX_SAFE_INTEGER };
const finding = (also: Partial<FindOwnedRequest> = {}) => ({ ...about, expected: [], clusters: ['main'], ...also });
const removing = (item: object) => ({ ...about, item: { owner, ...item } as OwnedResource & { user: string } });
const ours = { owner, cluster: 'main', madeAt: undefined, keys: [] };
const other = '11111111-2222-3333-4444-555555555555';

test('all that was made is found, page by page, with its keys', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  await grant({ parameters: byRole });
  const others = ['2', '3', '4'].map((digit) => other.replaceAll('1', digit));
  for (const each of others) await grant({ owner: each });
  const [user] = store.users;
  Object.assign(user ?? {}, { madeAt: new Date(5_000) });
  const found = await driver.findOwned(finding());
  if (found.result !== 'found') throw new Error(found.message);
  expect(found.items).toHaveLength(6);
  expect(found.items).toEqual(
    expect.arrayContaining([
      { ...ours, kind: 'bucket', name: bucket },
      { ...ours, kind: 'role', name: userName },
      {
        ...ours,
        kind: 'user',
        name: userName,
        madeAt: 5_000,
        keys: [expect.objectContaining({ id: user?.keys[0]?.id })],
      },
    ]),
  );
  expect(found.items.map((each) => each.owner)).toEqual(expect.arrayContaining(others));
  expect(JSON.stringify(found)).not.toContain('secret');
});

test('what is not ours is not found', async () => {
  const { store, driver } = await withBucket();
  store.addUser(`cosi-${other.replaceAll('-', '')}`);
  const tag = { Key: 'longshore.dev/owner', Value: other };
  const name = (first: string) => `${first}-${other.replaceAll('-', '')}`;
  store.addBucket(name('untagged'));
  store.addBucket('photos', { tags: [tag] });
  store.addBucket(name('elsewhere'), { tags: [tag], region: 'us-west-2' });
  store.addBucket(name('theirs'), { tags: [tag], isAnotherAccounts: true });
  store.addBucket(name('another-deployment'), { tags: [tag, { Key: 'longshore.dev/deployment', Value: 'test' }] });
  expect(await driver.findOwned(finding())).toMatchObject({ items: [{ name: bucket }] });
});

test('a cluster is told by its name, a user without tags by its own', async () => {
  const { store, driver, grant } = await withBucket();
  const clusters = ['main (eu)'];
  await grant({ cluster: 'main (eu)' });
  expect(await driver.findOwned(finding({ clusters }))).toMatchObject({
    items: [{ kind: 'bucket' }, { kind: 'user', cluster: 'main (eu)' }],
  });
  for (const user of store.users) user.tags = [];
  const found = await driver.findOwned(finding({ clusters }));
  expect(found).toMatchObject({ items: [{ kind: 'bucket' }, { owner, cluster: undefined }] });
});

test('what is expected and not there is said, but not what is only not listed', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  store.addBucket('theirs', { isAnotherAccounts: true });
  store.addBucket('elsewhere', { region: 'us-west-2' });
  const parameters = { region };
  const expected = ['theirs', 'elsewhere', 'nowhere'].map((each) => ({ owner, bucket: each, parameters }));
  expected.push({ owner: other, bucket, parameters }, { owner, bucket, parameters: byRole });
  expect(await driver.findOwned(finding({ expected }))).toMatchObject({
    lacking: [
      { owner, what: 'bucket' },
      { owner: other, what: 'credentials' },
      { owner, what: 'credentials' },
    ],
  });
  store.around = (name, perform) => (name === 'ListUsers' ? { Users: [] } : perform());
  const late = [{ owner, bucket, parameters }];
  expect(await driver.findOwned(finding({ expected: late }))).toMatchObject({ lacking: [] });
});

test('a store that is busy is asked again, and one that refuses says so', async () => {
  const { store, driver } = await withBucket();
  let times = 0;
  store.around = (name, perform) => {
    if (name === 'ListUsers' && times++ === 0) throw iamError(400, 'Throttling');
    return perform();
  };
  expect(await driver.findOwned(finding())).toMatchObject({ result: 'found' });
  store.around = (name, perform) => {
    if (name === 'ListBuckets') throw new FakeStoreError(403, 'AccessDenied');
    return perform();
  };
  expect(await driver.findOwned(finding())).toMatchObject({
    result: 'denied',
    message: expect.stringContaining('s3:ListAllMyBuckets'),
  });
});

test('one thing is removed at a time, as long as it is what was found', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  await grant({ parameters: byRole });
  const foreign = removing({ kind: 'user', name: userName, owner: other });
  expect(await driver.removeOwned(foreign)).toMatchObject({ result: 'refused' });
  const elsewhere = createS3Driver('s3.example.com', store.connect, { identity: 'test' });
  for (const kind of ['user', 'role', 'bucket']) {
    const name = kind === 'bucket' ? bucket : userName;
    expect(await elsewhere.removeOwned(removing({ kind, name }))).toMatchObject({ result: 'refused' });
  }
  const key = store.liveKeys[0]?.id ?? '';
  expect(await driver.removeOwned(removing({ kind: 'key', name: key, user: userName }))).toEqual({ result: 'removed' });
  expect([store.users.length, store.liveKeys]).toEqual([1, []]);
  for (let time = 0; time < 2; time++) {
    for (const kind of ['user', 'role']) {
      expect(await driver.removeOwned(removing({ kind, name: userName }))).toEqual({ result: 'removed' });
    }
  }
  expect([store.users, store.roles, store.buckets.length]).toEqual([[], [], 1]);
});

test('a bucket is removed only while there is nothing in it', async () => {
  const { store, driver } = await withBucket();
  store.startUpload(bucket, 'film');
  const item = { kind: 'bucket', name: bucket };
  expect(await driver.removeOwned(removing(item))).toMatchObject({ result: 'refused' });
  for (const each of store.buckets) each.uploads = [];
  store.around = (name, perform) => {
    if (name === 'DeleteBucket') store.put(bucket, 'late');
    return perform();
  };
  expect(await driver.removeOwned(removing(item))).toMatchObject({ result: 'refused' });
  store.hide(bucket, 'late');
  store.around = (_, perform) => perform();
  for (let time = 0; time < 2; time++) expect(await driver.removeOwned(removing(item))).toEqual({ result: 'removed' });
  expect(store.buckets).toEqual([]);
});

test('a store without users of its own has buckets alone', async () => {
  const store = new FakeStore();
  const driver = createSharedKeysDriver('shared.example.com', store.connect, { identity: 'main' });
  const place = {
    parameters: { region, endpoint: 'https://objects.example.com', driverSecretName: 'store' },
    secrets: {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'x',
      CONSUMER_ACCESS_KEY_ID: 'a',
      CONSUMER_SECRET_ACCESS_KEY: 'b',
    },
  };
  await driver.createBucket(creating(place));
  await driver.grantBucketAccess(granting(place));
  const expected = [{ owner, bucket, parameters: place.parameters }];
  expect(await driver.findOwned(finding({ ...place, expected }))).toEqual({
    result: 'found',
    items: [{ ...ours, kind: 'bucket', name: bucket }],
    lacking: [],
  });
  expect(await driver.removeOwned({ ...removing({ kind: 'user', name: userName }), ...place })).toMatchObject({
    result: 'refused',
  });
  expect(await driver.removeOwned({ ...removing({ kind: 'bucket', name: bucket }), ...place })).toEqual({
    result: 'removed',
  });
});
