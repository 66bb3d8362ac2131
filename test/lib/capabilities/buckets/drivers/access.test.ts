import { expect, test } from '@jest/globals';
import type { Parameters } from '../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { address, credentialsOf, withBucket } from './case-access.ts';
import { bucket, owner, ownerName, region, revoking, userName } from './requests.ts';

test('a consumer gets a user of its own with one key', async () => {
  const { store, grant } = await withBucket();
  const outcome = await grant();
  const [key] = store.liveKeys;
  expect(outcome).toEqual({
    result: 'granted',
    location: { protocol: 's3', bucket, region, endpoint: address },
    credentials: {
      AWS_ACCESS_KEY_ID: key?.id,
      AWS_SECRET_ACCESS_KEY: key?.secret,
      AWS_DEFAULT_REGION: region,
      AWS_REGION: region,
      AWS_ENDPOINT_URL: address,
      AWS_ENDPOINT_URL_S3: address,
    },
  });
  expect(store.users).toMatchObject([{ name: userName, path: '/longshore/main/' }]);
  expect(store.users[0]?.tags).toContainEqual({ Key: 'longshore.dev/owner', Value: owner });
});

test('a key that is held is kept', async () => {
  const { store, grant } = await withBucket();
  const held = credentialsOf(await grant());
  const before = store.liveKeys;
  expect(await grant({ held })).toMatchObject({ result: 'granted', credentials: undefined });
  expect(store.liveKeys).toEqual(before);
});

test('what has changed beside a key that is held is said again', async () => {
  const { store, grant } = await withBucket();
  const first = credentialsOf(await grant());
  const { AWS_REGION: _, ...held } = first;
  expect(credentialsOf(await grant({ held }))).toEqual(first);
  expect(store.liveKeys).toHaveLength(1);
});

test.each<[string, (held: Parameters) => Parameters]>([
  ['lost', () => ({})],
  ['without its secret', (held) => ({ ...held, AWS_SECRET_ACCESS_KEY: '' })],
  ['another one', (held) => ({ ...held, AWS_ACCESS_KEY_ID: 'AKIAOTHEROTHEROTHER0' })],
])('a key that is %s is replaced, and lives no longer', async (_, change) => {
  const { store, grant } = await withBucket();
  const first = credentialsOf(await grant());
  const second = credentialsOf(await grant({ held: change(first) }));
  expect(second.AWS_ACCESS_KEY_ID).not.toBe(first.AWS_ACCESS_KEY_ID);
  expect(store.liveKeys.map(({ id }) => id)).toEqual([second.AWS_ACCESS_KEY_ID]);
});

test('a key that was switched off is replaced', async () => {
  const { store, grant } = await withBucket();
  const held = credentialsOf(await grant());
  for (const key of store.users[0]?.keys ?? []) key.isActive = false;
  expect(credentialsOf(await grant({ held })).AWS_ACCESS_KEY_ID).not.toBe(held.AWS_ACCESS_KEY_ID);
  expect(store.users[0]?.keys).toHaveLength(1);
});

test.each(['CreateUser', 'PutUserPolicy', 'CreateAccessKey'])(
  'a grant that dies after %s is made again',
  async (after) => {
    const { store, grant } = await withBucket();
    store.around = (name, perform) => {
      const answer = perform();
      if (name === after) throw new Error('killed');
      return answer;
    };
    await expect(grant()).rejects.toThrow('killed');
    store.around = (_, perform) => perform();
    const { AWS_ACCESS_KEY_ID } = credentialsOf(await grant());
    expect(store.liveKeys.map(({ id }) => id)).toEqual([AWS_ACCESS_KEY_ID]);
  },
);

test('a bucket that is given access to must be there, in that region', async () => {
  const { store, grant } = await withBucket();
  expect(await grant({ flow: 'Brownfield', bucket: 'nowhere' })).toMatchObject({ result: 'missing' });
  store.addBucket('elsewhere', { region: 'us-west-2' });
  expect(await grant({ flow: 'Brownfield', bucket: 'elsewhere' })).toMatchObject({ result: 'taken' });
  store.addBucket('theirs', { isAnotherAccounts: true });
  expect(await grant({ flow: 'Brownfield', bucket: 'theirs' })).toMatchObject({ result: 'denied' });
  expect(store.users).toEqual([]);
});

test('another owner’s user is neither used nor removed', async () => {
  const { store, driver, grant } = await withBucket();
  store.addUser(userName, [{ Key: 'longshore.dev/owner', Value: 'other' }]);
  expect(await grant()).toMatchObject({ result: 'taken' });
  expect(await driver.revokeBucketAccess(revoking())).toEqual({ result: 'revoked', found: false });
  expect(store.users).toMatchObject([{ name: userName, keys: [], policies: new Map() }]);
});

test('a user that has lost its tag is not used, and does not keep its keys', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  for (const user of store.users) user.tags = [];
  expect(await grant()).toMatchObject({ result: 'taken' });
  expect(await driver.revokeBucketAccess(revoking())).toEqual({ result: 'revoked', found: true });
  expect(store.users).toEqual([]);
});

test('revoking leaves nothing, and does so again', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  store.users[0]?.policies.set('added by hand', '{}');
  for (const found of [true, false]) {
    expect(await driver.revokeBucketAccess(revoking())).toEqual({ result: 'revoked', found });
    expect(store.users).toEqual([]);
  }
});

test('an owner that cannot be part of a name is refused', async () => {
  const { grant } = await withBucket();
  expect(ownerName).toMatch(/^[0-9a-f]{32}$/);
  expect(await grant({ owner: '../admin' })).toMatchObject({ result: 'invalid' });
});

test('a key that is held and not listed yet ends before there is another one', async () => {
  const { store, grant } = await withBucket();
  const held = credentialsOf(await grant());
  store.around = (name, perform) => (name === 'ListAccessKeys' ? { AccessKeyMetadata: [] } : perform());
  const next = credentialsOf(await grant({ held }));
  expect(next.AWS_ACCESS_KEY_ID).not.toBe(held.AWS_ACCESS_KEY_ID);
  expect(store.liveKeys.map(({ id }) => id)).toEqual([next.AWS_ACCESS_KEY_ID]);
});

test('a user that somebody has attached something to loses its keys, and says what is in the way', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  store.users[0]?.attached.add('arn:aws:iam::aws:policy/ReadOnlyAccess');
  expect(await driver.revokeBucketAccess(revoking())).toMatchObject({
    result: 'unavailable',
    message: expect.stringMatching(new RegExp(`user ${userName}.*detach its managed policies.*MFA devices`)),
  });
  expect(store.liveKeys).toEqual([]);
  store.users[0]?.attached.clear();
  expect(await driver.revokeBucketAccess(revoking())).toEqual({ result: 'revoked', found: true });
});
