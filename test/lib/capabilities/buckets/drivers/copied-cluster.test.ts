import { expect, test } from '@jest/globals';
import { withBucket } from './case-access.ts';
import { bucket, creating, deleting, region, revoking } from './requests.ts';

const taken = expect.objectContaining({
  result: 'taken',
  message: expect.stringMatching(/belongs to the cluster main .* cluster copy/),
});
const copy = { cluster: 'copy' };
const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
const byRole = { region, credentials: 'role', oidcProvider, serviceAccount: 'default' };

test.each(['us-east-1', 'eu-central-1'])('in %s a copy of a cluster does not take the bucket over', async (where) => {
  const { store, driver } = await withBucket({ region: where });
  store.put(bucket, 'key');
  const before = structuredClone(store.buckets);
  const parameters = { region: where };
  expect(await driver.createBucket(creating({ ...copy, parameters }))).toEqual(taken);
  expect(await driver.deleteBucket(deleting({ ...copy, parameters }))).toEqual(taken);
  expect(store.buckets).toEqual(before);
});

test.each([{ region }, byRole])(
  'a copy of a cluster neither uses nor removes the principal of %j',
  async (parameters) => {
    const { store, driver, grant } = await withBucket();
    await grant({ parameters });
    const before = structuredClone([store.users, store.roles]);
    expect(await grant({ ...copy, parameters })).toEqual(taken);
    expect(await driver.revokeBucketAccess(revoking({ ...copy, parameters }))).toEqual(taken);
    expect([store.users, store.roles]).toEqual(before);
  },
);

test('what has no tag of a cluster still gives its owner access, and is not emptied: it may have been shared', async () => {
  const { store, driver, grant } = await withBucket();
  await grant();
  for (const tagged of [...store.buckets, ...store.users]) {
    tagged.tags = tagged.tags.filter(({ Key }) => Key !== 'longshore.dev/cluster');
  }
  store.put(bucket, 'key');
  expect(await driver.createBucket(creating({ isHandedOver: true }))).toEqual({ result: 'created' });
  expect(await grant(copy)).toMatchObject({ result: 'granted' });
  expect(await driver.revokeBucketAccess(revoking(copy))).toEqual({ result: 'revoked', found: true });
  const doubt = expect.objectContaining({
    result: 'taken',
    message: expect.stringMatching(/add longshore.dev\/cluster=main\. To keep it/),
  });
  expect(await driver.createBucket(creating())).toEqual(doubt);
  expect(await driver.deleteBucket(deleting())).toEqual(doubt);
  expect(store.bucket(bucket)?.versions).toHaveLength(1);
});

test('a cluster is recognised by its name as a tag can hold it', async () => {
  const { driver } = await withBucket();
  const request = { bucket: `other-${bucket}`, cluster: 'main (eu)' };
  for (let time = 0; time < 2; time++) {
    expect(await driver.createBucket(creating(request))).toEqual({ result: 'created' });
  }
});
